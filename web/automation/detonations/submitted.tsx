import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { nameOf, useNames } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { type Detonation, detonationQuery, isUnderWay } from './detonation-queries.ts'
import { DetonationProgress, DetonationState, VerdictBadge } from './detonation-state.tsx'
import { remedyOf } from './detonation-words.ts'

interface SubmittedProps {
  /** As they were when they were requested. */
  readonly detonations: readonly Pick<Detonation, 'id' | 'state'>[]
  readonly onClose: () => void
}

/** Detonations that have been requested, followed until they end. */
export const Submitted = ({ detonations, onClose }: SubmittedProps) => (
  <Stack>
    {detonations.map(({ id, state }) => (
      <Followed key={id} id={id} isReused={state === 'FINISHED'} onClose={onClose} />
    ))}
    <Group justify="space-between">
      <Text size="xs" c="dimmed">
        {detonations.some(isUnderWay) &&
          'The detonation continues when you close this window, and you are notified when it ends.'}
      </Text>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </Group>
  </Stack>
)

interface FollowedProps {
  readonly id: string
  /** Whether it had ended before it was requested again. */
  readonly isReused: boolean
  readonly onClose: () => void
}

function Followed({ id, isReused, onClose }: FollowedProps) {
  const found = useQuery(detonationQuery(id))
  const detonators = useNames('detonators')
  const detonation = found.data
  if (!detonation)
    return found.error ? <LoadFault query={found} /> : <Skeleton h={80} role="status" aria-label="Loading detonation" />
  const remedy = remedyOf(detonation)
  return (
    <Paper
      withBorder
      p="sm"
      component="section"
      aria-label={`Detonation in ${nameOf(detonators, detonation.detonator)}`}
    >
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {nameOf(detonators, detonation.detonator)}
            </Text>
            <DetonationState state={detonation.state} />
            <VerdictBadge verdict={detonation.verdict} score={detonation.score} />
          </Group>
          <Button
            size="compact-sm"
            variant={isUnderWay(detonation) ? 'default' : 'filled'}
            renderRoot={(props) => <Link to="/detonations/$id" params={{ id }} onClick={onClose} {...props} />}
          >
            Open report
          </Button>
        </Group>
        {isReused && (
          <Text size="sm">Nothing was submitted: there is a valid result for this sample and these options.</Text>
        )}
        {isUnderWay(detonation) ? (
          <DetonationProgress detonation={detonation} />
        ) : (
          detonation.state_reason && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {defangText(detonation.state_reason)} {remedy}
            </Text>
          )
        )}
      </Stack>
    </Paper>
  )
}
