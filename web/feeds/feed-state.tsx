import { Badge, Tooltip } from '@mantine/core'
import type { FeedHealth } from './feed-queries.ts'

const STATES: Readonly<Record<FeedHealth['state'], { readonly label: string; readonly color: string }>> = {
  OK: { label: 'Healthy', color: 'green' },
  FAILING: { label: 'Failing', color: 'red' },
  STALE: { label: 'Stale', color: 'orange' },
  INACTIVE: { label: 'Inactive', color: 'gray' },
  PENDING: { label: 'Not run yet', color: 'gray' },
}

/** The state of a feed as text and colour, with the reason for problems. */
export function FeedState({ health }: { readonly health: FeedHealth | undefined }) {
  if (!health) return null
  const { label, color } = STATES[health.state]
  const reason = health.last_error ?? health.stale_reason
  const badge = (
    <Badge variant="light" radius="xs" color={color}>
      {label}
    </Badge>
  )
  return reason && health.state !== 'OK' ? (
    <Tooltip label={reason} multiline maw={360}>
      {badge}
    </Tooltip>
  ) : (
    badge
  )
}
