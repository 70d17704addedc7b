import type { AttackVocabulary } from '../../formats/attack-words.ts'
import type { Matrix } from '../frameworks/framework.ts'
import { currentShortName, isTechnique, type Nodes } from './nodes.ts'
import { resolveAttacks } from './resolve.ts'

/** The kill chain of each matrix in STIX documents. */
const CHAINS: Readonly<Record<Matrix, string>> = {
  'enterprise-attack': 'mitre-attack',
  'mobile-attack': 'mitre-mobile-attack',
  'ics-attack': 'mitre-ics-attack',
  DISARM: 'mitre-attack',
}

/** What writers know about the nodes. */
export const vocabularyOf = (nodes: Nodes): AttackVocabulary => ({
  idsOf: (said) => (said.length === 0 ? [] : resolveAttacks(nodes, said).attacks),
  wordsFor: (id) => {
    const node = nodes.get(id)
    const tactic = node && isTechnique(node) ? nodes.tacticOf(node) : undefined
    if (!node || !tactic) return undefined
    const { external_id, name, stix_id, matrix } = node
    return {
      external_id,
      name,
      stix_id,
      chain: CHAINS[matrix],
      tactic: currentShortName(tactic) ?? tactic.id,
      isDisarm: matrix === 'DISARM',
    }
  },
})
