import { Button, Group, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { endlessQuery } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { ListEnd } from '../ui/list-end.tsx'
import { NameSelect } from '../ui/name-select.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useUrlState } from '../ui/use-url-state.ts'
import { runParameters, VIEWS } from './run-list.ts'
import { type ListedRun, pauseBetween, RunTable } from './run-table.tsx'

/** The list of task runs, refreshed automatically. */
export function Runs() {
  const may = useMay()
  const url = useUrlState()
  const view = url.get('view')
  const task = url.get('task')
  const list = useInfiniteQuery({
    ...endlessQuery<ListedRun>('tasks/runs', runParameters(view, task)),
    enabled: may('read tasks'),
    refetchInterval: ({ state }) => pauseBetween(state.data?.pages.flatMap(({ data }) => data) ?? []),
  })
  const runs = list.data?.pages.flatMap(({ data }) => data)
  if (!may('read tasks'))
    return (
      <>
        <PageHead title="Task runs" />
        <NoPermission permission="read tasks" />
      </>
    )
  return (
    <>
      <PageHead title="Task runs" description="Background tasks, latest first." />
      <Stack gap="sm">
        <Group gap="sm">
          <SegmentedControl
            aria-label="State"
            data={VIEWS.map(({ value, label }) => ({ value, label }))}
            value={view}
            onChange={(value) => url.set({ view: value })}
          />
          <NameSelect
            of="tasks"
            label="Task"
            placeholder="Any task"
            isBare
            value={task}
            onChange={(id) => url.set({ task: id })}
            w={280}
          />
        </Group>
        <ErrorFaults error={list.error} />
        {list.isPending && <Skeleton h={320} role="status" aria-label="Loading task runs" />}
        {runs?.length === 0 && (
          <NoRuns isFiltered={view !== '' || task !== ''} onAll={() => url.set({ view: '', task: '' })} />
        )}
        {runs && runs.length > 0 && <RunTable runs={runs} />}
        <ListEnd list={list} />
      </Stack>
    </>
  )
}

function NoRuns({ isFiltered, onAll }: { readonly isFiltered: boolean; readonly onAll: () => void }) {
  if (!isFiltered)
    return <EmptyState title="No task runs yet">Upload a file or run a feed to see its progress here.</EmptyState>
  return (
    <EmptyState
      title="No matching runs"
      action={
        <Button variant="default" onClick={onAll}>
          Show all runs
        </Button>
      }
    />
  )
}
