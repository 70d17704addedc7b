import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { idOf } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { defangText } from '../../domain/defang-text.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showErrorToast } from '../../ui/toasts.tsx'
import { type Detonation, detonationQuery, isUnderWay } from './detonation-queries.ts'
import { DetonationProgress, DetonationState, VerdictBadge } from './detonation-state.tsx'
import { remedyOf } from './detonation-words.ts'

type Requested = Pick<Detonation, 'id' | 'state'>

interface SubmittedProps {
  /** As they were when they were requested. */
  readonly detonations: readonly Requested[]
  /** Submits the sample to a detonator although that has a result for it. */
  readonly onForce: (detonator: number) => Promise<Requested | undefined>
  readonly onClose: () => void
}

/** Detonations that have been requested, followed until they end. */
export function Submitted({ detonations: requested, onForce, onClose }: SubmittedProps) {
  const [detonations, setDetonations] = useState(requested)
  return (
    <Stack>
      {detonations.map(({ id, state }, place) => (
        <Followed
          key={id}
          id={id}
          isReused={state === 'FINISHED'}
          onForce={async (detonator) => {
            const made = await onForce(detonator)
            if (made) setDetonations(detonations.with(place, made))
          }}
          onClose={onClose}
        />
      ))}
      <Group justify="space-between">
        <Text size="xs" c="dimmed" style={{ flex: '1 1 14rem' }}>
          {detonations.some(isUnderWay) &&
            'The detonation continues when you close this window, and you are notified when it ends.'}
        </Text>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  )
}

interface FollowedProps {
  readonly id: string
  /** Whether it had ended before it was requested again. */
  readonly isReused: boolean
  readonly onForce: (detonator: number) => Promise<void>
  readonly onClose: () => void
}

function Followed({ id, isReused, onForce, onClose }: FollowedProps) {
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
        {isReused && <Reused detonation={detonation} onForce={onForce} />}
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

interface ReusedProps extends Pick<FollowedProps, 'onForce'> {
  readonly detonation: Detonation
}

/** Says that there was a result already, and submits the sample again. */
function Reused({ detonation: { detonator, finished_at }, onForce }: ReusedProps) {
  const forced = useMutation({ mutationFn: () => onForce(Number(idOf(detonator))), onError: showErrorToast })
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" style={{ flex: '1 1 14rem' }}>
        Nothing was submitted: there is a valid result of <Moment at={finished_at} /> for this sample and these options.
      </Text>
      <Button size="compact-sm" variant="default" loading={forced.isPending} onClick={() => forced.mutate()}>
        Submit again
      </Button>
    </Group>
  )
}
