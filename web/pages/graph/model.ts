/** What the API tells of an entity in a graph. */
export interface EntityNode {
  readonly kind: 'entity'
  readonly id: string
  readonly type: string
  readonly title: string
  readonly tlp_color: string | null
  readonly created_at: string
  readonly observed_at: string | null
}

/** What the API tells of an observable in a graph. */
export interface ObservableNode {
  readonly kind: 'observable'
  readonly id: number
  readonly type: string
  readonly value: string
  readonly display_value: string
  readonly maliciousness: string
  readonly created_at: string
}

/** Neighbours of one node that are of one kind: entities by relationship, observables, or entities that have an observable. */
export interface Group {
  readonly kind: 'relationship' | 'observable' | 'holder'
  /** What the API calls it; a type of entities where they are those that have an observable. */
  readonly name: string
  readonly direction: 'out' | 'in'
  readonly key: string
  readonly type: string
  readonly count: number
}

/** Stands for all neighbours of a group that are not drawn one by one. */
export interface AggregateNode {
  readonly kind: 'aggregate'
  /** The node whose neighbours they are. */
  readonly of: string
  readonly group: Group
  /** Where the next piece of it begins. */
  readonly offset: number
}

export type GraphNode = EntityNode | ObservableNode | AggregateNode

export interface GraphEdge {
  readonly kind: 'relationship' | 'observable'
  readonly source: string
  readonly target: string
  /** The key of a relationship, or how an entity has an observable. */
  readonly label: string
}

export interface Place {
  readonly x: number
  readonly y: number
  readonly isPinned: boolean
}

/** What is hidden of a graph; hidden is not removed. */
export interface Filters {
  readonly hiddenTypes: readonly string[]
  readonly hiddenKeys: readonly string[]
  readonly leastDegree: number
  readonly from: string | null
  readonly until: string | null
}

export const NO_FILTERS: Filters = { hiddenTypes: [], hiddenKeys: [], leastDegree: 0, from: null, until: null }

/** All of a graph as somebody drew it; never changed, only replaced. */
export interface Drawing {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly edges: ReadonlyMap<string, GraphEdge>
  readonly places: ReadonlyMap<string, Place>
  readonly filters: Filters
}

export const EMPTY: Drawing = { nodes: new Map(), edges: new Map(), places: new Map(), filters: NO_FILTERS }

export const entityKey = (id: string): string => `e:${id}`
export const observableKey = (id: number | string): string => `o:${id}`
export const aggregateKey = (of: string, group: Pick<Group, 'name'>): string => `a:${of}:${group.name}`

/** The name of a node within a drawing. */
export function keyOf(node: GraphNode): string {
  if (node.kind === 'entity') return entityKey(node.id)
  return node.kind === 'observable' ? observableKey(node.id) : aggregateKey(node.of, node.group)
}

/** Adds nodes with their places, and edges; an edge needs both of its ends. */
export function addTo(
  drawing: Drawing,
  added: {
    readonly nodes: readonly GraphNode[]
    readonly edges: ReadonlyMap<string, GraphEdge>
    readonly places: ReadonlyMap<string, Place>
  },
): Drawing {
  const nodes = new Map(drawing.nodes)
  const places = new Map(drawing.places)
  for (const node of added.nodes) {
    const key = keyOf(node)
    nodes.set(key, node)
    const place = places.get(key) ?? added.places.get(key)
    if (place) places.set(key, place)
  }
  const edges = new Map(drawing.edges)
  for (const [key, edge] of added.edges) if (nodes.has(edge.source) && nodes.has(edge.target)) edges.set(key, edge)
  return { ...drawing, nodes, edges, places }
}

/** Takes nodes away, with their edges and what is aggregated around them. */
export const removeFrom = (drawing: Drawing, keys: ReadonlySet<string>): Drawing =>
  keepIn(drawing, (key) => !keys.has(key))

/** Takes away all but some nodes and what is aggregated around them. */
export const keepOnly = (drawing: Drawing, keys: ReadonlySet<string>): Drawing =>
  keepIn(drawing, (key, node) => keys.has(key) || (node.kind === 'aggregate' && keys.has(node.of)))

function keepIn(drawing: Drawing, isKept: (key: string, node: GraphNode) => boolean): Drawing {
  const kept = new Map([...drawing.nodes].filter(([key, node]) => isKept(key, node)))
  for (const [key, node] of kept) if (node.kind === 'aggregate' && !kept.has(node.of)) kept.delete(key)
  return {
    ...drawing,
    nodes: kept,
    places: new Map([...drawing.places].filter(([key]) => kept.has(key))),
    edges: new Map([...drawing.edges].filter(([, { source, target }]) => kept.has(source) && kept.has(target))),
  }
}

/** Puts one node in place of the one that has its name. */
export const replaceIn = (drawing: Drawing, node: GraphNode): Drawing => ({
  ...drawing,
  nodes: new Map(drawing.nodes).set(keyOf(node), node),
})

/** Moves nodes; those that are pinned stay where they are. */
export function arrange(
  drawing: Drawing,
  places: ReadonlyMap<string, { readonly x: number; readonly y: number }>,
): Drawing {
  const moved = new Map(drawing.places)
  for (const [key, { x, y }] of places) {
    const before = moved.get(key)
    if (drawing.nodes.has(key) && !before?.isPinned) moved.set(key, { x, y, isPinned: false })
  }
  return { ...drawing, places: moved }
}

/** Pins nodes where they are, or somewhere else; or lets them go. */
export function pin(drawing: Drawing, keys: Iterable<string>, isPinned: boolean, at: Partial<Place> = {}): Drawing {
  const places = new Map(drawing.places)
  for (const key of keys) {
    const place = places.get(key)
    if (place) places.set(key, { ...place, ...at, isPinned })
  }
  return { ...drawing, places }
}

const known = new WeakMap<Drawing['edges'], WeakMap<Drawing['nodes'], ReadonlyMap<string, ReadonlySet<string>>>>()

/** Who is next to whom, aggregates included. */
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
