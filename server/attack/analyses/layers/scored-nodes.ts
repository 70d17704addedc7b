import type { Node, Nodes } from '../../classification/nodes.ts'
import { isLive } from '../../classification/references.ts'
import type { KeptLayer, LayerTechnique } from './layer.ts'
import { mergeTechniques } from './merge-techniques.ts'
import { placesIn } from './places.ts'

/** What a layer says about a live node. */
export interface LayerNode {
  readonly node: Node
  readonly technique: LayerTechnique
}

/** The techniques of a layer at the live nodes that they mean, in the order of their ids. */
export function layerNodes(nodes: Nodes, { domain, techniques = [] }: KeptLayer): LayerNode[] {
  const placesOf = placesIn(nodes, domain)
  const all = techniques.flatMap((technique) =>
    placesOf(technique)
      .nodes.filter(isLive)
      .map((node) => ({ node, technique })),
  )
  return [...Map.groupBy(all, ({ node }) => node)]
    .map(([node, same]) => ({ node, technique: mergeTechniques(same.map(({ technique }) => technique)) }))
    .toSorted((a, b) => (a.node.id < b.node.id ? -1 : 1))
}

/**
 * The nodes that a layer marks, with a number greater than 0: the score, or 1 for a technique that has only a colour. If the layer has neither
 * scores nor colours, it marks all its techniques. Those that it disables are not marked.
 */
export function markedNodes(nodes: Nodes, layer: KeptLayer): ReadonlyMap<string, number> {
  const enabled = layerNodes(nodes, layer).filter(({ technique }) => technique.enabled !== false)
  const hasMarks = enabled.some(({ technique }) => technique.score !== undefined || technique.color)
  const marked = hasMarks ? enabled.filter(({ technique: { score = 0, color } }) => score > 0 || color) : enabled
  return new Map(marked.map(({ node, technique: { score = 0 } }) => [node.id, score > 0 ? score : 1]))
}
