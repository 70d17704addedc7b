import { around, besides, type Point } from './layouts.ts'
import { type Drawing, type GraphEdge, type GraphNode, keyOf, type Place } from './model.ts'

/** The initial positions of new nodes: around their origin, around a neighbour, or next to all others. */
export function placeNew(
  drawing: Drawing,
  nodes: readonly GraphNode[],
  edges: ReadonlyMap<string, GraphEdge>,
  origin: string | null,
): ReadonlyMap<string, Place> {
  const added = nodes.map(keyOf).filter((key) => !drawing.places.has(key))
  const isAdded = new Set(added)
  const anchors = new Map<string, string>()
  for (const { source, target } of edges.values()) {
    if (isAdded.has(source) && drawing.places.has(target)) anchors.set(source, target)
    if (isAdded.has(target) && drawing.places.has(source)) anchors.set(target, source)
  }
  const anchorOf = (key: string) => (origin !== null && drawing.places.has(origin) ? origin : (anchors.get(key) ?? ''))
  const aside = besides(drawing.places.values())
  const places = new Map<string, Place>()
  for (const [anchor, keys] of Map.groupBy(added, anchorOf)) {
    const centre: Point = drawing.places.get(anchor) ?? aside
    for (const [key, point] of around(centre, keys)) places.set(key, { ...point, isPinned: false })
  }
  return places
}
