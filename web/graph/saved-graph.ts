import type { Graph } from '../api/resources.ts'
import { aggregateKey, type Drawing, entityKey, type Filters, type NodePosition, observableKey } from './model.ts'

export type Content = Graph['content']

type Owner = Content['aggregates'][number]['of']

const round = (number: number): number => Math.round(number * 100) / 100

const positionOf = ({ positions }: Drawing, key: string) => {
  const { x, y, isPinned } = positions.get(key) ?? { x: 0, y: 0, isPinned: false }
  return { x: round(x), y: round(y), is_pinned: isPinned }
}

/** The saved content of a graph: ids, positions and filters. Node data is loaded again on opening. */
export function contentOf(drawing: Drawing): Content {
  const nodes: Content['nodes'][number][] = []
  const aggregates: Content['aggregates'][number][] = []
  for (const [key, node] of drawing.nodes) {
    const position = positionOf(drawing, key)
    if (node.kind === 'entity') nodes.push({ kind: 'entity', id: node.id, ...position })
    else if (node.kind === 'observable') nodes.push({ kind: 'observable', id: node.id, ...position })
    else aggregates.push({ of: ownerOf(node.of), group: node.group.name, ...position })
  }
  const { hiddenTypes, hiddenKeys, leastDegree, from, until } = drawing.filters
  const filters = { hidden_types: hiddenTypes, hidden_keys: hiddenKeys, least_degree: leastDegree, from, until }
  return { nodes, aggregates, filters }
}

const ownerOf = (key: string): Owner =>
  key.startsWith('e:') ? { kind: 'entity', id: key.slice(2) } : { kind: 'observable', id: Number(key.slice(2)) }

export const ownerKey = ({ kind, id }: Owner): string => (kind === 'entity' ? entityKey(id) : observableKey(id))

/** The node positions of a saved graph, by node key. */
export function positionsIn({ nodes, aggregates }: Content): ReadonlyMap<string, NodePosition> {
  const at = ({ x, y, is_pinned }: { x: number; y: number; is_pinned: boolean }) => ({ x, y, isPinned: is_pinned })
  return new Map([
    ...nodes.map((node): [string, NodePosition] => [ownerKey(node), at(node)]),
    ...aggregates.map((each): [string, NodePosition] => [
      aggregateKey(ownerKey(each.of), { name: each.group }),
      at(each),
    ]),
  ])
}

export const filtersIn = ({ filters }: Content): Filters => ({
  hiddenTypes: filters.hidden_types,
  hiddenKeys: filters.hidden_keys,
  leastDegree: filters.least_degree,
  from: filters.from,
  until: filters.until,
})
