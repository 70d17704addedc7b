import { Anchor, Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TaskRun } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { defangText } from '../domain/defang-text.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { countsOf, hasEnded, stopRun, useRun } from './run-queries.ts'
import { RUN_STATES, RunStateBadge } from './run-state.tsx'

interface RunProgressProps {
  /** The id of a run, or its URL. */
  readonly run: string
  /** Called once when the run has ended, successfully or not. */
  readonly onEnded?: (run: TaskRun) => void
  /** Whether to link to the page of the run; false on that page itself. */
  readonly hasLink?: boolean
}

/** The live progress of a run, with a button to stop it. */
export function RunProgress({ run: idOrUrl, onEnded, hasLink = true }: RunProgressProps) {
  const { data: run, error } = useRun(idOrUrl, onEnded)
  if (error && !run) return <ErrorFaults error={error} />
  if (!run) return <Skeleton h={44} role="status" aria-label="Loading task run" />
  const percent = Math.round(run.progress * 100)
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" role="status">
          <RunStateBadge state={run.state} />
          <Text size="sm">{hasEnded(run) ? countsOf(run.result).join(' · ') : `${percent}%`}</Text>
        </Group>
        <Group gap="sm">
          {hasLink && (
            <Anchor size="sm" component={Link} to={`/runs/${run.id}`}>
              Details
            </Anchor>
          )}
          <StopRun run={run} />
        </Group>
      </Group>
      <Progress
        value={hasEnded(run) && run.state !== 'REVOKED' ? 100 : percent}
        color={RUN_STATES[run.state].color}
        animated={run.state === 'STARTED'}
        aria-label="Progress"
      />
      {run.error_detail && (
        <Text size="sm" c={run.state === 'FAILURE' ? 'red' : 'dimmed'}>
          {defangText(run.error_detail)}
        </Text>
      )}
    </Stack>
  )
}

/** Stops a running task, if the user has the permission. */
export function StopRun({ run }: { readonly run: TaskRun }) {
  const may = useMay()
  const queries = useQueryClient()
  const stopped = useMutation({
    mutationFn: () => stopRun(run.id),
    onSettled: () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('tasks/runs') }),
  })
  if (hasEnded(run) || !may('modify tasks')) return <ErrorFaults error={stopped.error} />
  return (
    <Button size="compact-sm" variant="light" color="red" loading={stopped.isPending} onClick={() => stopped.mutate()}>
      Stop run
    </Button>
  )
}
