import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { endlessQuery, idOf } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { defangText } from '../domain/defang-text.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListEnd } from '../ui/list-end.tsx'
import { LoadFault } from '../ui/load-fault.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { runParameters } from './run-list.ts'
import { countsOf } from './run-queries.ts'
import { type ListedRun, pauseBetween, RunTable } from './run-table.tsx'

interface TaskRunsProps {
  /** The URL of the task. */
  readonly task: string | null
  /** When runs appear here, if there are none. */
  readonly empty: string
  /** What a run that has ended did; its counts unless given. */
  readonly outcome?: (run: ListedRun) => ReactNode
  /** Links and buttons after the one to the page of the run. */
  readonly actions?: (run: ListedRun) => ReactNode
}

/** The runs of one task with their outcomes, refreshed automatically. */
export function TaskRuns({ task, empty, outcome = countsAndFault, actions }: TaskRunsProps) {
  const canRead = useMay()('read tasks')
  const { attributes, ...parameters } = runParameters('', task === null ? '' : idOf(task))
  const list = useInfiniteQuery({
    ...endlessQuery<ListedRun>('tasks/runs', { ...parameters, attributes: `${attributes},result,error_detail` }),
    enabled: canRead && task !== null,
    refetchInterval: ({ state }) => pauseBetween(state.data?.pages.flatMap(({ data }) => data) ?? []),
  })
  if (!canRead) return <NoPermission permission="read tasks" />
  const runs = list.data?.pages.flatMap(({ data }) => data)
  return (
    <Stack gap="sm">
      <LoadFault query={list} />
      {list.isLoading && <Skeleton h={160} role="status" aria-label="Loading task runs" />}
      {(runs?.length === 0 || task === null) && <EmptyState title="No runs yet">{empty}</EmptyState>}
      {runs && runs.length > 0 && (
        <RunTable
          runs={runs}
          outcome={outcome}
          actions={(run) => (
            <Group gap="sm" justify="flex-end" wrap="nowrap">
              {actions?.(run)}
              <PageLink to={`/runs/${run.id}`}>Details</PageLink>
            </Group>
          )}
        />
      )}
      <ListEnd list={list} />
    </Stack>
  )
}

/** The counts of a run that has ended, or why it failed. */
function countsAndFault({ result, error_detail }: ListedRun) {
  const counts = countsOf(result)
  return (
    <>
      <Text size="sm">{counts.length > 0 ? counts.join(' · ') : error_detail ? '' : '–'}</Text>
      {error_detail && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {defangText(error_detail)}
        </Text>
      )}
    </>
  )
}
