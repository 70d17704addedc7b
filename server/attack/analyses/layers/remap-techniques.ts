import type { Node, Nodes } from '../../classification/nodes.ts'
import type { Matrix } from '../../frameworks/framework.ts'
import type { LayerTechnique } from './layer.ts'
import { mergeTechniques } from './merge-techniques.ts'
import { namedIn, tacticName } from './places.ts'

/** Dead nodes, and the live ones that take their place. */
export type Successors = ReadonlyMap<string, readonly string[]>

/**
 * Moves techniques of layers from dead nodes to those that take their place, where they are merged with what is there; undefined if
 * nothing changes.
 */
export function remapperOf(nodes: Nodes, matrix: Matrix, successors: Successors) {
  const nodesOf = namedIn(nodes, matrix)
  return (techniques: readonly LayerTechnique[]): LayerTechnique[] | undefined => {
    const parts = techniques.map((technique) => {
      const own = nodesOf(technique)
      const isMoved = own.some(({ id }) => successors.has(id))
      return { technique, isMoved, nodes: isMoved ? movedTo(nodes, own, successors) : own }
    })
    const moved = parts.filter(({ isMoved }) => isMoved)
    if (moved.length === 0) return undefined
    const filled = new Set(moved.flatMap((part) => part.nodes))
    const slots = parts.flatMap(({ technique, isMoved, nodes: own }, i) => {
      if (!isMoved && !own.some((node) => filled.has(node))) return [{ key: String(i), technique }]
      return own.map((node) => ({ key: node.id, technique: placedAt(nodes, node, technique) }))
    })
    return [...Map.groupBy(slots, ({ key }) => key).values()].map((same) =>
      mergeTechniques(same.map(({ technique }) => technique)),
    )
  }
}

function movedTo(nodes: Nodes, own: readonly Node[], successors: Successors): Node[] {
  const ids = new Set(own.flatMap(({ id }) => successors.get(id) ?? [id]))
  return [...ids].flatMap((id) => nodes.get(id) ?? [])
}

/** A technique at one node. */
export function placedAt(nodes: Nodes, node: Node, technique: LayerTechnique): LayerTechnique {
  const tactic = tacticName(nodes, node)
  return { ...technique, techniqueID: node.external_id, ...(tactic !== undefined && { tactic }) }
}
