import type { Tlp } from '../../domain/tlp.ts'
import type { Query } from '../../search/query/ast.ts'

/** What a rule can do. */
export const ACTIONS = [
  'add_tags',
  'add_to_set',
  'override_tlp',
  'set_alias',
  'convert_to_vendorjson2',
  'remove_tags',
] as const

export type Action = (typeof ACTIONS)[number]

/** The types that entities can be converted to. A malware family is malware of which `is_family` is true. */
export const TARGET_TYPES = [
  'attack-pattern',
  'identity',
  'infrastructure',
  'intrusion-set',
  'malware',
  'malware-family',
  'tool',
] as const

export type TargetType = (typeof TARGET_TYPES)[number]

/** A rule as it acts: what belongs to actions that it does not have is left out. */
export interface Rule {
  /** Older rules have lower ids. */
  readonly id: number
  readonly name: string
  readonly owner: number | null
  /** Empty sets stand for all. */
  readonly types: ReadonlySet<string>
  /** Numbers of sources. */
  readonly sources: ReadonlySet<number>
  /** Whether all sources it was saved with were deleted: it then matches nothing. */
  readonly lostSources: boolean
  /** Ranks of colours. */
  readonly ranks: ReadonlySet<number>
  readonly query: Query | null
  /** Whether the query was a tree, which compares whole values. */
  readonly isTree: boolean
  /** The parts of an entity that its criteria read. */
  readonly reads: ReadonlySet<string>
  readonly addTags: readonly string[]
  readonly removeTags: readonly string[]
  readonly addTaxonomies: readonly number[]
  readonly removeTaxonomies: readonly number[]
  readonly datasets: readonly number[]
  readonly tlp: Tlp | null
  readonly alias: { readonly template: string; readonly pattern: string | null } | null
  readonly target: TargetType | null
}

/** The parts of an entity that criteria can read besides its content. */
export const PART = { type: 'data.type', source: 'source', colour: 'meta.tlp_color' } as const
