/** What represents a unified entity in feeds and exports. */
export const CONSOLIDATIONS = [
  { value: 'contributors', label: 'Contributors', help: 'The entities as their sources reported them.' },
  { value: 'unified', label: 'Unified entities', help: 'One entity in place of all of its contributors.' },
  { value: 'all', label: 'Both', help: 'Unified entities and the contributors that they are derived from.' },
] as const

export type Consolidation = (typeof CONSOLIDATIONS)[number]['value']

/** The explanation of a choice; of the first one if it is unknown. */
export const helpOf = (value: string): string =>
  (CONSOLIDATIONS.find((each) => each.value === value) ?? CONSOLIDATIONS[0]).help
