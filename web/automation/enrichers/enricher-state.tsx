import type { Enricher } from '../../api/resources.ts'
import { StateBadge } from '../state-badge.tsx'

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
export const EnricherState = ({ enricher }: { readonly enricher: Pick<Enricher, 'state' | 'state_reason'> }) => (
  <StateBadge state={{ ...STATES[enricher.state], reason: enricher.state_reason || null }} />
)
