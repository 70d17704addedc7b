import { ActionIcon, Badge, Collapse, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { endlessQuery, idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import type { TaskRun } from '../../api/resources.ts'
import { lasted } from '../../background/run-list.ts'
import { hasEnded } from '../../background/run-queries.ts'
import { RunStateBadge } from '../../background/run-state.tsx'
import { defangText } from '../../domain/defang-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListEnd } from '../../ui/list-end.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { RetryFaults } from '../../ui/retry-faults.tsx'
import { TableFrame } from '../../ui/table-frame.tsx'
import { outcomeOf } from './run-outcome.ts'
import { RunSamples } from './run-samples.tsx'

const BUSY_MS = 1_500
const IDLE_MS = 15_000
const COLUMNS = 6

type Listed = Pick<
  TaskRun,
  'id' | 'task' | 'state' | 'result' | 'error_detail' | 'started_at' | 'ended_at' | 'created_at' | 'created_by'
>

interface TaskRunsProps {
  readonly task: string | null
  /** What starts a run, for the empty state. */
  readonly empty: string
}

/** The runs of a task that looks observables up, latest first, each with its outcome. */
export function TaskRuns({ task, empty }: TaskRunsProps) {
  const users = useNames('users')
  const list = useInfiniteQuery({
    ...endlessQuery<Listed>('tasks/runs', {
      'filter[task]': task === null ? '0' : idOf(task),
      attributes: 'id,task,state,result,error_detail,started_at,ended_at,created_at,created_by',
      sort: '-created_at',
      limit: 20,
    }),
    enabled: task !== null,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((run) => !hasEnded(run))) ? BUSY_MS : IDLE_MS,
  })
  const runs = list.data?.pages.flatMap(({ data }) => data)
  if (task === null || runs?.length === 0) return <EmptyState title="No runs yet">{empty}</EmptyState>
  return (
    <Stack gap="sm">
      <RetryFaults query={list} />
      {list.isPending && <Skeleton h={200} role="status" aria-label="Loading" />}
      {runs && (
        <TableFrame minWidth={820}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={40} aria-label="Details" />
                <Table.Th w={190}>State</Table.Th>
                <Table.Th>Outcome</Table.Th>
                <Table.Th>Requested</Table.Th>
                <Table.Th>Duration</Table.Th>
                <Table.Th>Started by</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {runs.map((run) => (
                <RunRows
                  key={run.id}
                  run={run}
                  startedBy={run.created_by === null ? 'Schedule' : nameOf(users, run.created_by)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </TableFrame>
      )}
      <ListEnd list={list} />
    </Stack>
  )
}

function RunRows({ run, startedBy }: { readonly run: Listed; readonly startedBy: string }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const outcome = outcomeOf(run)
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Details of the run of ${run.created_at}`}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {isOpen ? '▾' : '▸'}
          </ActionIcon>
        </Table.Td>
        <Table.Td>
          <RunStateBadge state={run.state} />
        </Table.Td>
        <Table.Td>
          <Group gap={4}>
            {outcome?.counts.map(({ label, count, color }) => (
              <Badge key={label} variant="light" radius="xs" color={color} tt="none">
                {count.toLocaleString('en')} {label}
              </Badge>
            ))}
            {outcome?.counts.length === 0 && (
              <Text size="sm" c="dimmed">
                Nothing to look up
              </Text>
            )}
          </Group>
        </Table.Td>
        <Table.Td>
          <PageLink to={`/runs/${run.id}`}>
            <Moment at={run.created_at} />
          </PageLink>
        </Table.Td>
        <Table.Td>{lasted(run.started_at, run.ended_at, Date.now())}</Table.Td>
        <Table.Td>{startedBy}</Table.Td>
      </Table.Tr>
      <Table.Tr hidden={!isOpen}>
        <Table.Td colSpan={COLUMNS}>
          <Collapse expanded={isOpen}>
            <Stack gap="xs" p="xs">
              <Text size="sm">{defangText(outcome?.summary || run.error_detail || 'The run has no result yet.')}</Text>
              {isOpen && outcome && outcome.samples.length > 0 && <RunSamples samples={outcome.samples} />}
            </Stack>
          </Collapse>
        </Table.Td>
      </Table.Tr>
    </>
  )
}
