import type { EntityRule as StoredRule } from '../../api/resources.ts'
import type { Effect } from '../../intelligence/entity/rule-effects.ts'

/** The actions of entity rules, by API name. */
export const ACTIONS = [
  { value: 'add_tags', label: 'Add tags and taxonomies' },
  { value: 'remove_tags', label: 'Remove tags and taxonomies' },
  { value: 'override_tlp', label: 'Set TLP' },
  { value: 'add_to_set', label: 'Add to datasets' },
  { value: 'set_alias', label: 'Set alias' },
  { value: 'convert_to_vendorjson2', label: 'Convert to another type' },
] as const

export type ActionName = (typeof ACTIONS)[number]['value']

/** The types that entities can be converted to. */
export const CONVERSION_TARGETS = [
  'attack-pattern',
  'identity',
  'infrastructure',
  'intrusion-set',
  'malware',
  'malware-family',
  'tool',
] as const

/** An entity rule as the API returns it. */
export interface EntityRule extends Omit<StoredRule, 'actions'> {
  readonly actions: readonly ActionName[]
}

/** The part of an entity that rules can change. */
export interface Looks {
  readonly tlp_color: string | null
  readonly tags: readonly string[]
  /** The names of taxonomy nodes and of datasets. */
  readonly taxonomies: readonly string[]
  readonly datasets: readonly string[]
  readonly title: string
  readonly type: string
}

/** An entity that a rule would change, before and after. */
export interface Sample {
  readonly entity: string
  readonly type: string
  readonly title: string
  readonly source_name: string
  readonly before: Looks
  readonly after: Looks
}

/** What a rule would do. */
export interface RulePreview {
  readonly matched: number
  /** The number of entities that were compared, if they are only a sample. */
  readonly judged: number
  readonly is_sample: boolean
  readonly changed: number
  readonly by_type: readonly { readonly type: string; readonly count: number }[]
  readonly by_source: readonly { readonly source: string; readonly name: string; readonly count: number }[]
  readonly by_effect: readonly { readonly effect: string; readonly count: number }[]
  readonly warnings: readonly string[]
  readonly samples: readonly Sample[]
}

const added = (kind: Effect['kind'], before: readonly string[], after: readonly string[]): Effect[] =>
  after.filter((value) => !before.includes(value)).map((value) => ({ kind, value }))

/** The differences of a sample as effects, in the order of their importance. */
export function effectsOf({ before, after }: Pick<Sample, 'before' | 'after'>): readonly Effect[] {
  return [
    ...(before.tlp_color === after.tlp_color
      ? []
      : [{ kind: 'tlp', value: after.tlp_color, before: before.tlp_color } as const]),
    ...(before.type === after.type ? [] : [{ kind: 'converted', value: after.type, before: before.type } as const]),
    ...(before.title === after.title ? [] : [{ kind: 'alias', value: after.title, before: before.title } as const]),
    ...added('tag_added', before.tags, after.tags),
    ...added('tag_removed', after.tags, before.tags),
    ...added('taxonomy_added', before.taxonomies, after.taxonomies),
    ...added('taxonomy_removed', after.taxonomies, before.taxonomies),
    ...added('dataset_added', before.datasets, after.datasets),
  ]
}
