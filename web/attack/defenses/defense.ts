import { wholeQuery } from '../all-pages.ts'
import type { ExternalReference } from '../matrix/external-address.ts'

/** The collection of defenses. */
export const DEFENSES = 'attack-defenses'

/** The collection of what defenses work against. */
export const RELATIONSHIPS = `${DEFENSES}/relationships`

/** The collection of what defenses refer to. */
export const INNER_RELATIONSHIPS = `${DEFENSES}/inner-relationships`

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

/** What a list shows of a defense. */
export interface NamedDefense {
  readonly id: number
  readonly type: DefenseType
  /** Null for your own. */
  readonly external_id: string | null
  readonly name: string
  /** Empty if no version that is loaded has the defense any more. */
  readonly domains: readonly string[]
  /** Whether it belongs to a framework and is read-only. */
  readonly is_system: boolean
  readonly mitre_platforms: readonly string[] | null
}

export interface Defense extends NamedDefense {
  readonly description: string
  readonly external_references: readonly ExternalReference[]
  readonly mutable_elements: readonly { readonly field: string; readonly description: string }[] | null
  readonly created_at: string
  readonly created_by: string | null
}

const NAMED_ATTRIBUTES = 'id,type,external_id,name,domains,is_system,mitre_platforms'

/** All defenses of a type. */
export const defensesQuery = (type: string) =>
  wholeQuery<NamedDefense>(DEFENSES, { 'filter[type]': type, attributes: NAMED_ATTRIBUTES })

/** Which defenses of a type to show. */
export interface DefenseFilters {
  readonly typed: string
  readonly domain: string
  readonly status: string
  readonly isOwn: boolean
}

/** The defenses that meet all filters, your own first, the others in the order of their ids. */
export function matchingDefenses(
  defenses: readonly NamedDefense[],
  { typed, domain, status, isOwn }: DefenseFilters,
  statusOf: (id: number) => string,
): readonly NamedDefense[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return defenses
    .filter((defense) => {
      const text = `${defense.external_id ?? ''}\n${defense.name}\n${defense.mitre_platforms?.join('\n') ?? ''}`
      return (
        words.every((word) => text.toLowerCase().includes(word)) &&
        (domain === '' || defense.domains.includes(domain)) &&
        (status === '' || statusOf(defense.id) === status) &&
        (!isOwn || !defense.is_system)
      )
    })
    .toSorted(
      (a, b) =>
        Number(a.is_system) - Number(b.is_system) ||
        (a.external_id ?? a.name).localeCompare(b.external_id ?? b.name, 'en', { numeric: true }),
    )
}
