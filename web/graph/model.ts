/** An entity in a graph, as returned by the API. */
export interface EntityNode {
  readonly kind: 'entity'
  readonly id: string
  readonly type: string
  readonly title: string
  readonly tlp_color: string | null
  readonly created_at: string
  readonly observed_at: string | null
  readonly is_unified?: boolean
  /** The contributors that were asked for, if it stands for them. */
  readonly stands_for?: readonly string[]
}

/** An observable in a graph, as returned by the API. */
export interface ObservableNode {
  readonly kind: 'observable'
  readonly id: number
  readonly type: string
  readonly value: string
  readonly display_value: string
  readonly maliciousness: string
  readonly created_at: string
}

/** Neighbours of one node of the same kind: entities by relationship, observables, or entities with an observable. */
export interface Group {
  readonly kind: 'relationship' | 'observable' | 'holder'
  /** The API name of the group; for entities with an observable, the entity type. */
  readonly name: string
  readonly direction: 'out' | 'in'
  readonly key: string
  readonly type: string
  readonly count: number
}

/** A node that stands for all members of a group that are not shown individually. */
export interface AggregateNode {
  readonly kind: 'aggregate'
  /** The node whose neighbours they are. */
  readonly of: string
  readonly group: Group
  /** The offset of the next piece. */
  readonly offset: number
}

export type GraphNode = EntityNode | ObservableNode | AggregateNode

export interface GraphEdge {
  /** Unified entities have edges to the contributors that are shown next to them. */
  readonly kind: 'relationship' | 'observable' | 'unifies'
  readonly source: string
  readonly target: string
  /** The relationship type, or the link type of an observable. */
  readonly label: string
}

export interface NodePosition {
  readonly x: number
  readonly y: number
  readonly isPinned: boolean
}

/** What is hidden; hidden nodes are not removed. */
export interface Filters {
  readonly hiddenTypes: readonly string[]
  readonly hiddenKeys: readonly string[]
  readonly leastDegree: number
  readonly from: string | null
  readonly until: string | null
}

export const NO_FILTERS: Filters = { hiddenTypes: [], hiddenKeys: [], leastDegree: 0, from: null, until: null }

/** The state of a graph; immutable. */
export interface Drawing {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly edges: ReadonlyMap<string, GraphEdge>
  readonly positions: ReadonlyMap<string, NodePosition>
  readonly filters: Filters
  /** Whether unified entities stand for their contributors. */
  readonly isCollapsed: boolean
}

export const EMPTY: Drawing = {
  nodes: new Map(),
  edges: new Map(),
  positions: new Map(),
  filters: NO_FILTERS,
  isCollapsed: false,
}

/** A graph without nodes. */
export const emptyGraph = (isCollapsed: boolean): Drawing => ({ ...EMPTY, isCollapsed })

export const entityKey = (id: string): string => `e:${id}`
export const observableKey = (id: number | string): string => `o:${id}`
export const aggregateKey = (of: string, group: Pick<Group, 'name'>): string => `a:${of}:${group.name}`

/** The key of a node in a graph. */
export function keyOf(node: GraphNode): string {
  if (node.kind === 'entity') return entityKey(node.id)
  return node.kind === 'observable' ? observableKey(node.id) : aggregateKey(node.of, node.group)
}

/** Adds nodes with their positions, and edges; an edge needs both of its ends. */
export function addTo(
  drawing: Drawing,
  added: {
    readonly nodes: readonly GraphNode[]
    readonly edges: ReadonlyMap<string, GraphEdge>
    readonly positions: ReadonlyMap<string, NodePosition>
  },
): Drawing {
  const nodes = new Map(drawing.nodes)
  const positions = new Map(drawing.positions)
  for (const node of added.nodes) {
    const key = keyOf(node)
    nodes.set(key, node)
    const position = positions.get(key) ?? added.positions.get(key)
    if (position) positions.set(key, position)
  }
  const edges = new Map(drawing.edges)
  for (const [key, edge] of added.edges) if (nodes.has(edge.source) && nodes.has(edge.target)) edges.set(key, edge)
  return { ...drawing, nodes, edges, positions }
}

/** Removes nodes with their edges and aggregates. */
export const removeFrom = (drawing: Drawing, keys: ReadonlySet<string>): Drawing =>
  keepIn(drawing, (key) => !keys.has(key))

/** Removes all but some nodes and their aggregates. */
export const keepOnly = (drawing: Drawing, keys: ReadonlySet<string>): Drawing =>
  keepIn(drawing, (key, node) => keys.has(key) || (node.kind === 'aggregate' && keys.has(node.of)))

function keepIn(drawing: Drawing, isKept: (key: string, node: GraphNode) => boolean): Drawing {
  const kept = new Map([...drawing.nodes].filter(([key, node]) => isKept(key, node)))
  for (const [key, node] of kept) if (node.kind === 'aggregate' && !kept.has(node.of)) kept.delete(key)
  return {
    ...drawing,
    nodes: kept,
    positions: new Map([...drawing.positions].filter(([key]) => kept.has(key))),
    edges: new Map([...drawing.edges].filter(([, { source, target }]) => kept.has(source) && kept.has(target))),
  }
}

/** Replaces the node with the same key. */
export const replaceIn = (drawing: Drawing, node: GraphNode): Drawing => ({
  ...drawing,
  nodes: new Map(drawing.nodes).set(keyOf(node), node),
})

/** Moves nodes, except pinned ones. */
export function arrange(
  drawing: Drawing,
  positions: ReadonlyMap<string, { readonly x: number; readonly y: number }>,
): Drawing {
  const moved = new Map(drawing.positions)
  for (const [key, { x, y }] of positions) {
    const before = moved.get(key)
    if (drawing.nodes.has(key) && !before?.isPinned) moved.set(key, { x, y, isPinned: false })
  }
  return { ...drawing, positions: moved }
}

/** Pins nodes at their current or another position, or unpins them. */
export function pin(
  drawing: Drawing,
  keys: Iterable<string>,
  isPinned: boolean,
  at: Partial<NodePosition> = {},
): Drawing {
  const positions = new Map(drawing.positions)
  for (const key of keys) {
    const position = positions.get(key)
    if (position) positions.set(key, { ...position, ...at, isPinned })
  }
  return { ...drawing, positions }
}

const known = new WeakMap<Drawing['edges'], WeakMap<Drawing['nodes'], ReadonlyMap<string, ReadonlySet<string>>>>()

/** The neighbours of each node, including aggregates. */
export function neighboursIn({
  nodes,
  edges,
}: Pick<Drawing, 'nodes' | 'edges'>): ReadonlyMap<string, ReadonlySet<string>> {
  const remembered = known.get(edges)?.get(nodes)
  if (remembered) return remembered
  const around = new Map<string, Set<string>>([...nodes.keys()].map((key) => [key, new Set()]))
  const join = (a: string, b: string) => {
    around.get(a)?.add(b)
    around.get(b)?.add(a)
  }
  for (const { source, target } of edges.values()) join(source, target)
  for (const [key, node] of nodes) if (node.kind === 'aggregate') join(key, node.of)
  known.set(edges, (known.get(edges) ?? new WeakMap()).set(nodes, around))
  return around
}
