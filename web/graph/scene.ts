import { MultiDirectedGraph } from 'graphology'
import { labelOf } from './aggregates.ts'
import { colourOf, type Ground } from './colours.ts'
import type { Shown } from './filters.ts'
import { shortened } from './labels.ts'
import { type Drawing, type GraphNode, neighboursIn } from './model.ts'
import { typeOf } from './names.ts'

/** The input of the renderer: a graph, its visible part, and what is selected and highlighted. */
export interface Scene {
  readonly drawing: Drawing
  readonly shown: Shown
  readonly selected: ReadonlySet<string>
  readonly focused: string | null
  /** Highlighted nodes of a path, with all others faded; null for none. */
  readonly path: ReadonlySet<string> | null
}

export interface NodeAttributes {
  x: number
  y: number
  size: number
  color: string
  label: string
  type: 'circle' | 'point'
  /** The entity type whose icon is drawn. */
  icon: string | null
  /** Whether a second ring is drawn around it. */
  hasRing: boolean
}

export interface EdgeAttributes {
  size: number
  label: string
  type: EdgeType
}

/** Arrows for relationships, lines for undirected edges, hairlines for very many edges. */
type EdgeType = 'arrow' | 'line' | 'hairline'

export type SceneGraph = MultiDirectedGraph<NodeAttributes, EdgeAttributes>

export const makeSceneGraph = (): SceneGraph => new MultiDirectedGraph<NodeAttributes, EdgeAttributes>()

const SIZES: Readonly<Record<GraphNode['kind'], number>> = { entity: 9, observable: 5, aggregate: 11 }

/** Reduces the size of nodes in large graphs. */
const crowding = (count: number): number => (count > 3000 ? 0.28 : count > 500 ? 0.6 : 1)

/** Above this number of edges, arrowheads are not drawn. */
const MAX_ARROWS = 2_000

/** Above this number, nodes are drawn as points without a border, which is much faster. */
const MAX_CIRCLES = 1_500

/** Updates nodes, edges and positions for a scene; highlighting is applied while rendering. */
export function updateGraph(graph: SceneGraph, { drawing, shown }: Scene): void {
  const around = neighboursIn(drawing)
  const crowd = crowding(drawing.nodes.size)
  const type = drawing.nodes.size > MAX_CIRCLES ? 'point' : 'circle'
  const changed = new Map<string, NodeAttributes>()
  for (const key of graph.nodes()) if (!drawing.nodes.has(key)) graph.dropNode(key)
  for (const [key, node] of drawing.nodes) {
    const { x, y } = drawing.positions.get(key) ?? { x: 0, y: 0 }
    const size = (SIZES[node.kind] + Math.min(7, Math.log2(1 + (around.get(key)?.size ?? 0)))) * crowd
    const icon = node.kind === 'entity' ? node.type : null
    const label = shortened(labelOf(drawing, node))
    const hasRing = node.kind === 'entity' && node.is_unified === true
    const attributes: NodeAttributes = { x, y, size, color: colourOf(typeOf(node)), label, type, icon, hasRing }
    if (!graph.hasNode(key)) graph.addNode(key, attributes)
    else if (!isSame(graph.getNodeAttributes(key), attributes)) changed.set(key, attributes)
  }
  // In one batch, because the renderer processes every single update.
  if (changed.size > 0) graph.updateEachNodeAttributes((key, before) => changed.get(key) ?? before)
  updateEdges(graph, drawing, shown)
}

const isSame = <T extends object>(a: T, b: T): boolean =>
  Object.entries(b).every(([name, value]) => a[name as keyof T] === value)

/** Merges edges between the same two nodes into one line with all labels. */
function updateEdges(graph: SceneGraph, drawing: Drawing, shown: Shown): void {
  const lines = new Map<string, { source: string; target: string; labels: Set<string>; type: EdgeType }>()
  for (const key of shown.edges) {
    const edge = drawing.edges.get(key)
    if (!edge) continue
    const name = `${edge.source} ${edge.target}`
    const line = lines.get(name)
    if (line) line.labels.add(edge.label)
    else {
      const type = shown.edges.size > MAX_ARROWS ? 'hairline' : edge.kind === 'relationship' ? 'arrow' : 'line'
      lines.set(name, { source: edge.source, target: edge.target, labels: new Set([edge.label]), type })
    }
  }
  for (const [key, node] of drawing.nodes) {
    if (node.kind === 'aggregate' && shown.nodes.has(key))
      lines.set(`${node.of} ${key}`, { source: node.of, target: key, labels: new Set(), type: 'line' })
  }
  for (const key of graph.edges()) if (!lines.has(key)) graph.dropEdge(key)
  for (const [key, { source, target, labels, type }] of lines) {
    const label = [...labels].filter((each) => each !== 'has').join(', ')
    const attributes = { size: type === 'arrow' ? 1.6 : 1, label, type }
    if (!graph.hasEdge(key)) graph.addEdgeWithKey(key, source, target, attributes)
    else if (!isSame<EdgeAttributes>(graph.getEdgeAttributes(key), attributes))
      graph.replaceEdgeAttributes(key, attributes)
  }
}

/** At most this many selected nodes get a ring and a label. */
const MAX_MARKED_NODES = 40

/** The appearance of nodes in a scene. */
export function nodeLook(scene: Scene, key: string, attributes: NodeAttributes, ground: Ground) {
  const { shown, selected, focused, path, drawing } = scene
  const isMarked = key === focused || (selected.has(key) && selected.size <= MAX_MARKED_NODES)
  const isFaint = path !== null && !path.has(key)
  return {
    ...attributes,
    hidden: !shown.nodes.has(key),
    highlighted: isMarked,
    forceLabel: isMarked || drawing.nodes.get(key)?.kind === 'aggregate' || (path?.has(key) ?? false),
    color: isFaint ? ground.faint : selected.has(key) && !isMarked ? ground.marked : attributes.color,
    label: isFaint ? '' : attributes.label,
    zIndex: isFaint ? 0 : 1,
  }
}

/** The appearance of edges in a scene: those on a path or of selected nodes are highlighted. */
export function edgeLook(scene: Scene, ends: readonly [string, string], attributes: EdgeAttributes, ground: Ground) {
  const { selected, focused, path } = scene
  const [source, target] = ends
  const isOnPath = path?.has(source) && path.has(target)
  const isOwn =
    path === null && (selected.size < MAX_MARKED_NODES ? selected.has(source) || selected.has(target) : false)
  const isFocused = path === null && (source === focused || target === focused)
  const isMarked = isOnPath || isOwn || isFocused
  return {
    ...attributes,
    color: isMarked ? ground.marked : path === null ? ground.edge : ground.faint,
    size: isOnPath ? 3 : attributes.size,
    label: path === null || isOnPath ? attributes.label : '',
    zIndex: isMarked ? 1 : 0,
  }
}
