import { vocabularyRecord } from './vocabulary.ts'

/** The motivations of attackers. */
export const ATTACK_MOTIVATIONS = [
  'accidental',
  'coercion',
  'dominance',
  'ideology',
  'notoriety',
  'organizational-gain',
  'personal-gain',
  'personal-satisfaction',
  'revenge',
  'unpredictable',
] as const

/** The resource levels of attackers. */
export const ATTACK_RESOURCE_LEVELS = ['individual', 'club', 'contest', 'team', 'organization', 'government'] as const

/** A motivation as a record. */
export const attackMotivation = vocabularyRecord(ATTACK_MOTIVATIONS, {}, {})

/** A resource level as a record. */
export const attackResourceLevel = vocabularyRecord(ATTACK_RESOURCE_LEVELS, {}, {})
