import { Badge, Tooltip } from '@mantine/core'
import type { FeedHealth } from '../../api/feeds.ts'

const STATES: Readonly<Record<FeedHealth['state'], { readonly label: string; readonly color: string }>> = {
  OK: { label: 'Works', color: 'green' },
  FAILING: { label: 'Fails', color: 'red' },
  STALE: { label: 'Silent', color: 'orange' },
  INACTIVE: { label: 'Switched off', color: 'gray' },
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
