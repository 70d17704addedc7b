/** The collection of defenses. */
export const DEFENSES = 'attack-defenses'

export type DefenseType = 'mitigation' | 'detection-strategy' | 'analytic' | 'data-component'

/** The types of defenses, with their display names. */
export const DEFENSE_TYPES: readonly {
  readonly value: DefenseType
  readonly label: string
  readonly one: string
}[] = [
  { value: 'mitigation', label: 'Mitigations', one: 'Mitigation' },
  { value: 'detection-strategy', label: 'Detection strategies', one: 'Detection strategy' },
  { value: 'analytic', label: 'Analytics', one: 'Analytic' },
  { value: 'data-component', label: 'Data components', one: 'Data component' },
]

/** The display name of one defense of a type. */
export const defenseTypeName = (type: string): string => DEFENSE_TYPES.find(({ value }) => value === type)?.one ?? type

/** How far a defense is built. */
export const STATUSES = [
  { value: 'none', label: 'None', color: 'gray' },
  { value: 'planned', label: 'Planned', color: 'blue' },
  { value: 'partial', label: 'Partial', color: 'yellow' },
  { value: 'done', label: 'Done', color: 'green' },
] as const

export type Status = (typeof STATUSES)[number]['value']

/** The scores that a defense can have. */
export const SCORES = [0, 1, 2, 3, 4] as const

/** The display name of a status. */
export const statusName = (status: string): string => STATUSES.find(({ value }) => value === status)?.label ?? status
