import type { AttackVocabulary } from '../../formats/attack-words.ts'
import type { Matrix } from '../frameworks/framework.ts'
import { isTechnique, type Node, type Nodes } from './nodes.ts'
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
      tactic: currentShortName(tactic),
      isDisarm: matrix === 'DISARM',
    }
  },
})

/** A tactic that was renamed has several short names; the one that is like its name is the current one. */
function currentShortName({ id, name, short_names }: Node): string {
  const expected = name.toLowerCase().replaceAll(' ', '-')
  return short_names.includes(expected) ? expected : (short_names[0] ?? id)
}
