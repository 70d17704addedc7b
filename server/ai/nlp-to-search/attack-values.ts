import { isTechnique, type Node, type Nodes } from '../../attack/classification/nodes.ts'
import { isLive } from '../../attack/classification/references.ts'
import type { Query } from '../../search/query/ast.ts'

const FIELD = 'meta.attacks'

/** The nodes that a word means: an id, an id without its tactic, or a name. The live ones among several. */
export function nodesMeant(nodes: Nodes, word: string): readonly Node[] {
  const wanted = word.trim()
  const id = wanted.toUpperCase()
  const named = wanted.toLowerCase()
  const byId = [nodes.get(wanted), nodes.get(id)].flatMap((node) => node ?? []).slice(0, 1)
  const found = [
    () => byId,
    () => nodes.placesOf(id),
    () => nodes.tacticsNamed(wanted),
    () => nodes.all.filter(({ type, name }) => type !== 'matrix' && name.toLowerCase() === named),
  ]
  for (const find of found) {
    const meant = find()
    if (meant.length > 0) return meant.some(isLive) ? meant.filter(isLive) : meant
  }
  return []
}

/** Finds what is classified with a node or with one below it. */
export function queriesFor(node: Node): readonly Query[] {
  const self: Query = { kind: 'term', field: FIELD, text: node.id }
  if (node.type === 'tactic') return [self, { kind: 'prefix', field: FIELD, text: `${node.id}:` }]
  const hasParts = isTechnique(node) && node.type === 'technique'
  return hasParts ? [self, { kind: 'prefix', field: FIELD, text: `${node.id}.` }] : [self]
}
