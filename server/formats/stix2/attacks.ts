import { isRecord } from '../../domain/record.ts'
import { textFrom } from '../../domain/text-from.ts'
import { type AttackVocabulary, type AttackWords, isTechniqueId, KILL_CHAINS } from '../attack-words.ts'
import type { FoundAttack } from '../finding.ts'
import { kindOf } from './properties.ts'
import { type Fields, textsIn } from './stix-object.ts'

const CHAINS = new Set<unknown>(KILL_CHAINS)
const SOURCES = new Set<unknown>([...KILL_CHAINS, 'mitre-pre-attack', 'DISARM'])

/** What an attack pattern says about its place in attack frameworks: its techniques, each below the tactics of its phases. */
export function attacksOf(object: Fields): FoundAttack[] {
  if (object.type !== 'attack-pattern') return []
  const tactics = phasesOf(object).map(({ kill_chain_name, phase_name }) => ({
    chain: textFrom(kill_chain_name),
    name: textFrom(phase_name),
  }))
  const ids = techniquesOf(object)
  // Other publishers copy the objects of a framework without its references.
  const named = ids.length > 0 || typeof object.id !== 'string' ? ids : [object.id]
  return named.map((id) => ({ id, ...(tactics.length > 0 && { tactics }) }))
}

/** OpenCTI has a property for the id of a technique, and the reference may be missing. */
const techniquesOf = ({ external_references, x_mitre_id }: Fields): string[] => [
  ...new Set([
    ...recordsIn(external_references).flatMap(({ source_name, external_id }) =>
      SOURCES.has(source_name) && isTechniqueId(external_id) ? [external_id] : [],
    ),
    ...(isTechniqueId(x_mitre_id) ? [x_mitre_id] : []),
  ]),
]

const phasesOf = ({ kill_chain_phases }: Fields): Fields[] =>
  recordsIn(kill_chain_phases).filter(({ kill_chain_name }) => CHAINS.has(kill_chain_name))

/**
 * What the attack nodes of an entity say in STIX, where its object does not say it yet: the phases of its kill chain, and the techniques of an
 * attack pattern.
 */
export function attackProperties(object: Fields, ids: unknown, vocabulary: AttackVocabulary): Fields {
  const type = textFrom(object.type)
  if (kindOf(type, 'kill_chain_phases') !== 'phases') return {}
  const words = textsIn(ids).flatMap((id) => vocabulary.wordsFor(id) ?? [])
  if (words.length === 0 || phasesOf(object).length > 0) return {}
  const phases = words.map(({ chain, tactic }) => ({ kill_chain_name: chain, phase_name: tactic }))
  const isMissing = type === 'attack-pattern' && techniquesOf(object).length === 0
  return {
    kill_chain_phases: [...recordsIn(object.kill_chain_phases), ...distinct(phases)],
    ...(isMissing && {
      external_references: [...recordsIn(object.external_references), ...distinct(words.map(referenceTo))],
    }),
  }
}

const referenceTo = ({ chain, external_id }: AttackWords) => ({ source_name: chain, external_id })

const distinct = <T>(list: readonly T[]): T[] => [...new Map(list.map((one) => [JSON.stringify(one), one])).values()]

const recordsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])
