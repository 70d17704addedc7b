import { Button, Group, Progress, SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { endlessQuery } from '../api/lists.ts'
import { nameOf, useNames } from '../api/names.ts'
import type { TaskRun } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { ListEnd } from '../ui/list-end.tsx'
import { Moment } from '../ui/moment.tsx'
import { NameSelect } from '../ui/name-select.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import { useUrlState } from '../ui/use-url-state.ts'
import { lasted, runParameters, VIEWS } from './run-list.ts'
import { hasEnded } from './run-queries.ts'
import { RUN_STATES, RunStateBadge } from './run-state.tsx'

/** Refresh intervals: short while a run is active, long otherwise. */
const BUSY_MS = 1_500
const IDLE_MS = 10_000

type Listed = Omit<TaskRun, 'log' | 'result' | 'parameters' | 'error_detail'>

/** The list of task runs, refreshed automatically. */
export function Runs() {
  const may = useMay()
  const url = useUrlState()
  const view = url.get('view')
  const task = url.get('task')
  const list = useInfiniteQuery({
    ...endlessQuery<Listed>('tasks/runs', runParameters(view, task)),
    enabled: may('read tasks'),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((run) => !hasEnded(run))) ? BUSY_MS : IDLE_MS,
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

function RunTable({ runs }: { readonly runs: readonly Listed[] }) {
  const tasks = useNames('tasks')
  const users = useNames('users')
  const now = Date.now()
  return (
    <TableFrame minWidth={760}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Task</Table.Th>
            <Table.Th w={150}>State</Table.Th>
            <Table.Th w={170}>Progress</Table.Th>
            <Table.Th>Requested</Table.Th>
            <Table.Th>Duration</Table.Th>
            <Table.Th>Started by</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <Table.Tr key={run.id}>
              <Table.Td>
                <PageLink to={`/runs/${run.id}`}>{nameOf(tasks, run.task)}</PageLink>
              </Table.Td>
              <Table.Td>
                <RunStateBadge state={run.state} />
              </Table.Td>
              <Table.Td>
                <RunBar run={run} />
              </Table.Td>
              <Table.Td>
                <Moment at={run.created_at} />
              </Table.Td>
              <Table.Td>{lasted(run.started_at, run.ended_at, now)}</Table.Td>
              <Table.Td>{run.created_by === null ? 'Schedule' : nameOf(users, run.created_by)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

function RunBar({ run }: { readonly run: Listed }) {
  const percent = Math.round(run.progress * 100)
  return (
    <Group gap={8} wrap="nowrap">
      <Progress value={percent} color={RUN_STATES[run.state].color} flex={1} aria-label="Progress" />
      <Text size="xs" w={34} ta="right">
        {percent}%
      </Text>
    </Group>
  )
}
