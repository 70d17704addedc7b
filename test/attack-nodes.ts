import { type Node, nodesFrom } from '../server/attack/classification/nodes.ts'
import { vocabularyOf } from '../server/attack/classification/vocabulary.ts'
import { readFacts } from '../server/attack/frameworks/ship-facts.ts'

/** The nodes of all frameworks that come with the product, as they are after the first start. */
export const shippedNodes: readonly Node[] = (await readFacts()).flatMap(({ matrix, nodes }) =>
  nodes.map(({ short_name, ...node }) => ({ ...node, matrix, short_names: short_name === null ? [] : [short_name] })),
)

/** The live places of techniques and sub-techniques. */
export const livePlaces: readonly Node[] = shippedNodes.filter(({ id, state }) => id.includes(':') && state === 'live')

/** What writers know about these nodes. */
export const attackVocabulary = vocabularyOf(nodesFrom(shippedNodes))
