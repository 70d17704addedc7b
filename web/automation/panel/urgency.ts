import type { Enricher } from '../../api/resources.ts'
import { usedPercent } from '../enrichers/quota.ts'

type Watched = Pick<Enricher, 'name' | 'state' | 'quota'>

const STATES: readonly Enricher['state'][] = [
  'SUSPENDED',
  'NOT_INSTALLED',
  'UNREACHABLE',
  'WAITING',
  'ACTIVE',
  'INACTIVE',
]

/** Enrichers with problems first, then those with the least quota left. */
export const byUrgency = <E extends Watched>(enrichers: readonly E[]): readonly E[] =>
  [...enrichers].sort(
    (a, b) =>
      STATES.indexOf(a.state) - STATES.indexOf(b.state) || mostUsed(b) - mostUsed(a) || (a.name < b.name ? -1 : 1),
  )

const mostUsed = ({ quota }: Watched): number => Math.max(0, ...quota.map(usedPercent))
