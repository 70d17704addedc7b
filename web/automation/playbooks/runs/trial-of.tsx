import { Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { LoadFault } from '../../../ui/load-fault.tsx'
import { useReferenceNames } from '../names.ts'
import { stepKindsQuery } from '../playbook-queries.ts'
import type { RunTarget } from './run-queries.ts'
import { PlaybookRunBadge } from './run-state-badge.tsx'
import { stepOf, type Tried } from './run-step.ts'
import { StepTimeline } from './timeline.tsx'
import { TriedObject } from './tried-object.tsx'

interface TrialOfProps {
  readonly playbook: number
  readonly target: RunTarget
}

/** As many objects are tried at first. */
const MAX_TRIED = 3

/** What a stored playbook would do to the first of some objects. */
export function TrialOf({ playbook, target }: TrialOfProps) {
  const { collection, ids = [], query } = target
  const kinds = useQuery(stepKindsQuery)
  const tried = useQuery({
    queryKey: ['playbooks', 'trial', playbook, target],
    queryFn: async ({ signal }) => {
      const selection = query === undefined ? { [collection]: ids.slice(0, MAX_TRIED) } : { query, most: MAX_TRIED }
      const body = { data: { ...selection, dry_run: true } }
      return (await call<{ data: { dry_run: readonly Tried[] } }>('POST', `playbooks/${playbook}/runs`, body, signal))
        .data
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  const names = useReferenceNames(tried.data?.dry_run.flatMap(({ steps }) => steps.map(stepOf)))
  if (tried.error) return <LoadFault query={tried} />
  if (!tried.data) return <Skeleton h={120} role="status" aria-label="Computing what it would do" />
  return (
    <Stack gap="sm">
      {tried.data.dry_run.map((each) => (
        <Paper key={each.object} withBorder p="sm">
          <Group gap="xs" mb="sm">
            <TriedObject tried={each} />
            <PlaybookRunBadge run={each} />
          </Group>
          <StepTimeline steps={each.steps} kinds={kinds.data ?? []} names={names} isTrial />
        </Paper>
      ))}
      {target.count > MAX_TRIED && (
        <Text size="xs" c="dimmed">
          A dry run on the first {MAX_TRIED} of them. Nothing was changed, sent or asked.
        </Text>
      )}
    </Stack>
  )
}
