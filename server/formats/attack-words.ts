import type { FoundAttack } from './finding.ts'

/** A technique below a tactic, as other documents name it. */
export interface AttackWords {
  /** Of the technique, for example `T1566.001`. */
  readonly external_id: string
  readonly name: string
  readonly stix_id: string
  /** The kill chain, which is also the name of the source of the external id. */
  readonly chain: string
  /** The short name of the tactic, for example `initial-access`. */
  readonly tactic: string
  /** Whether the technique belongs to the DISARM framework, which has a galaxy of its own. */
  readonly isDisarm: boolean
}

/** What writers know about the nodes of attack frameworks. */
export interface AttackVocabulary {
  /** The ids of the nodes that words mean. */
  idsOf(said: readonly FoundAttack[]): readonly string[]
  /** The words for a technique below a tactic; undefined for everything else, and for what is unknown. */
  wordsFor(id: string): AttackWords | undefined
}

/** The kill chains of attack frameworks in STIX. DISARM uses the first one, too. */
export const KILL_CHAINS = ['mitre-attack', 'mitre-mobile-attack', 'mitre-ics-attack'] as const

/** The ids of techniques, also of those that are in no known version. */
export const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/

export const isTechniqueId = (value: unknown): value is string => typeof value === 'string' && TECHNIQUE_ID.test(value)
