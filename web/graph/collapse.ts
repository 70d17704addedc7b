import { type Drawing, entityKey, type GraphEdge, type GraphNode, keyOf, type NodePosition } from './model.ts'

/** The keys of the contributors that a node stands for. */
export const replacedKeys = (node: GraphNode): readonly string[] =>
  node.kind === 'entity' ? (node.stands_for ?? []).map(entityKey) : []

/** The keys of all nodes that the server knows, without those that stand for whole groups. */
export const ownKeys = ({ nodes }: Drawing): readonly string[] =>
  [...nodes].flatMap(([key, node]) => (node.kind === 'aggregate' ? [] : [key]))

/** Positions in which a unified entity is in the middle of the contributors that it replaces. */
export function withStandIns(
  positions: ReadonlyMap<string, NodePosition>,
  nodes: readonly GraphNode[],
): ReadonlyMap<string, NodePosition> {
  const all = new Map(positions)
  for (const node of nodes) {
    const key = keyOf(node)
    const replaced = replacedKeys(node).flatMap((own) => positions.get(own) ?? [])
    if (all.has(key) || replaced.length === 0) continue
    const mean = (read: (position: NodePosition) => number) =>
      replaced.reduce((sum, position) => sum + read(position), 0) / replaced.length
    const isPinned = replaced.some((position) => position.isPinned)
    all.set(key, { x: mean(({ x }) => x), y: mean(({ y }) => y), isPinned })
  }
  return all
}

/** The same graph with nodes and edges that were read again, because other nodes stand for some of them. */
export function reread(
  drawing: Drawing,
  isCollapsed: boolean,
  { nodes, edges }: { readonly nodes: readonly GraphNode[]; readonly edges: ReadonlyMap<string, GraphEdge> },
): Drawing {
  const read = new Map(nodes.map((node) => [keyOf(node), node]))
  const positions = withStandIns(drawing.positions, nodes)
  const isKept = (node: GraphNode) => node.kind === 'aggregate' && read.has(node.of)
  const aggregates = [...drawing.nodes].filter(([, node]) => isKept(node))
  const all = new Map<string, GraphNode>([...read, ...aggregates])
  return {
    ...drawing,
    isCollapsed,
    nodes: all,
    edges: new Map([...edges].filter(([, { source, target }]) => all.has(source) && all.has(target))),
    positions: new Map([...positions].filter(([key]) => all.has(key))),
  }
}
