import { Group, Progress, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { nameOf, useNames } from '../api/names.ts'
import type { TaskRun } from '../api/resources.ts'
import { Moment } from '../ui/moment.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import { lasted } from './run-list.ts'
import { hasEnded } from './run-queries.ts'
import { RUN_STATES, RunStateBadge } from './run-state.tsx'

/** A run in a list. */
export type ListedRun = Omit<TaskRun, 'log' | 'parameters' | 'error_detail' | 'result'> &
  Partial<Pick<TaskRun, 'error_detail' | 'result'>>

/** Refresh intervals: short while a run is active, long otherwise. */
const BUSY_MS = 1_500
const IDLE_MS = 10_000

/** How long to wait before a list of runs is refreshed. */
export const pauseBetween = (runs: readonly Pick<TaskRun, 'ended_at'>[]): number =>
  runs.every(hasEnded) ? IDLE_MS : BUSY_MS

interface RunTableProps {
  readonly runs: readonly ListedRun[]
  /** Shown instead of the name of the task, if all runs belong to one task. */
  readonly outcome?: (run: ListedRun) => ReactNode
  readonly actions?: (run: ListedRun) => ReactNode
}

/** Task runs with their state, progress and duration. */
export function RunTable({ runs, outcome, actions }: RunTableProps) {
  const tasks = useNames('tasks')
  const users = useNames('users')
  const now = Date.now()
  return (
    <TableFrame minWidth={760}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {!outcome && <Table.Th>Task</Table.Th>}
            <Table.Th w={150}>State</Table.Th>
            {outcome ? <Table.Th>Outcome</Table.Th> : <Table.Th w={170}>Progress</Table.Th>}
            <Table.Th>Requested</Table.Th>
            <Table.Th>Duration</Table.Th>
            <Table.Th>Started by</Table.Th>
            {actions && <Table.Th aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <Table.Tr key={run.id}>
              {!outcome && (
                <Table.Td>
                  <PageLink to={`/runs/${run.id}`}>{nameOf(tasks, run.task)}</PageLink>
                </Table.Td>
              )}
              <Table.Td>
                <RunStateBadge state={run.state} />
              </Table.Td>
              <Table.Td>{outcome && hasEnded(run) ? outcome(run) : <RunBar run={run} />}</Table.Td>
              <Table.Td>
                <Moment at={run.created_at} />
              </Table.Td>
              <Table.Td>{lasted(run.started_at, run.ended_at, now)}</Table.Td>
              <Table.Td>{run.created_by === null ? 'Schedule' : nameOf(users, run.created_by)}</Table.Td>
              {actions && <Table.Td ta="end">{actions(run)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableFrame>
  )
}

function RunBar({ run }: { readonly run: ListedRun }) {
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
