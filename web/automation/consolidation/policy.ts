import type { Rule, RuleKind } from '../rule-kind.ts'

/** A consolidation policy: which entities are compared, and who sees the unified entities. */
export interface Policy extends Rule {
  /** The URL of the group whose source the unified entities get. */
  readonly merge_group: string
  /** What the user sees of them. */
  readonly unified_count: number
  readonly contributors_count: number
  readonly last_updated_at: string
  readonly last_updated_by: string | null
}

export type HalfLifeChoice = 'highest' | 'lowest' | 'latest' | 'preferred_source'
export type TlpChoice = 'highest' | 'lowest' | 'preferred_source'

/** How a policy composes the unified entities of some types. */
export interface Configuration {
  readonly id: number
  readonly entity_types: readonly string[]
  readonly half_life_choice: HalfLifeChoice
  readonly tlp_choice: TlpChoice
  readonly preferred_source: string | null
  /** Only entities of these sources; of all if empty. */
  readonly sources: readonly string[]
}

/** The entity types that can be consolidated. */
export const CONSOLIDATED_TYPES = [
  'exploit-target',
  'identity',
  'indicator',
  'infrastructure',
  'intrusion-set',
  'location',
  'malware',
  'threat-actor',
  'tool',
] as const

export const POLICIES: RuleKind = {
  path: 'consolidation-rules',
  page: '/consolidation-rules',
  permission: 'rules',
  title: 'Consolidation policies',
  one: 'consolidation policy',
  noun: 'policy',
  nouns: 'policies',
  description: 'Join entities that describe the same thing into one unified entity, and keep every original.',
  empty:
    'A consolidation policy compares entities of different sources. Those that describe the same thing become contributors to one unified entity, which shows the best of each and says where it comes from.',
  afterDelete: 'Its unified entities are removed. Contributors stay as they are.',
  touched: ['entities', 'entities/consolidation-events', 'consolidation-suggestions', 'tasks'],
  isDeletedOnPage: true,
  warningTitle: 'Not everything was compared',
  runLabel: 'Consolidate now',
}

/** The path of the configurations of a policy. */
export const configurationsPath = (policy: number): string => `${POLICIES.path}/${policy}/configurations`
