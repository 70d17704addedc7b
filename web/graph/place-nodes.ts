import { around, type Point, rightOf } from './layouts.ts'
import { type Drawing, type GraphEdge, type GraphNode, keyOf, type NodePosition } from './model.ts'

/** The initial positions of new nodes: around their origin, around a neighbour, or next to all others. */
export function placeNew(
  drawing: Drawing,
  nodes: readonly GraphNode[],
  edges: ReadonlyMap<string, GraphEdge>,
  origin: string | null,
): ReadonlyMap<string, NodePosition> {
  const added = nodes.map(keyOf).filter((key) => !drawing.positions.has(key))
  const isAdded = new Set(added)
  const anchors = new Map<string, string>()
  for (const { source, target } of edges.values()) {
    if (isAdded.has(source) && drawing.positions.has(target)) anchors.set(source, target)
    if (isAdded.has(target) && drawing.positions.has(source)) anchors.set(target, source)
  }
  const anchorOf = (key: string) =>
    origin !== null && drawing.positions.has(origin) ? origin : (anchors.get(key) ?? '')
  const aside = rightOf(drawing.positions.values())
  const positions = new Map<string, NodePosition>()
  for (const [anchor, keys] of Map.groupBy(added, anchorOf)) {
    const centre: Point = drawing.positions.get(anchor) ?? aside
    for (const [key, point] of around(centre, keys)) positions.set(key, { ...point, isPinned: false })
  }
  return positions
}
