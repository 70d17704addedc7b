import { Badge, Tooltip } from '@mantine/core'
import type { Enricher } from '../../api/resources.ts'

const STATES: Readonly<Record<Enricher['state'], { readonly label: string; readonly color: string }>> = {
  ACTIVE: { label: 'Active', color: 'green' },
  WAITING: { label: 'Waiting', color: 'orange' },
  UNREACHABLE: { label: 'Unreachable', color: 'red' },
  SUSPENDED: { label: 'Suspended', color: 'red' },
  NOT_INSTALLED: { label: 'Not installed', color: 'red' },
  INACTIVE: { label: 'Inactive', color: 'gray' },
}

/** States that end at once when the enricher is resumed. */
export const canResume = ({ state }: Pick<Enricher, 'state'>): boolean =>
  state === 'WAITING' || state === 'UNREACHABLE' || state === 'SUSPENDED'

/** The state of an enricher as text and colour, with its reason. */
export function EnricherState({ enricher }: { readonly enricher: Pick<Enricher, 'state' | 'state_reason'> }) {
  const { label, color } = STATES[enricher.state]
  const badge = (
    <Badge variant="light" radius="xs" color={color} flex="none">
      {label}
    </Badge>
  )
  return enricher.state_reason ? (
    <Tooltip label={enricher.state_reason} multiline maw={360}>
      {badge}
    </Tooltip>
  ) : (
    badge
  )
}
