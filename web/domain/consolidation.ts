import type { Consolidation } from '../../server/domain/consolidation.ts'

interface Choice {
  readonly value: Consolidation
  readonly label: string
  readonly help: string
}

/** What represents a unified entity in feeds and exports. */
export const CONSOLIDATIONS: readonly Choice[] = [
  { value: 'contributors', label: 'Contributors', help: 'The entities as their sources reported them.' },
  { value: 'unified', label: 'Unified entities', help: 'One entity in place of all of its contributors.' },
  { value: 'all', label: 'Both', help: 'Unified entities and the contributors that they are derived from.' },
]

/** The explanation of a choice. */
export const helpOf = (value: string): string => CONSOLIDATIONS.find((each) => each.value === value)?.help ?? ''
