import type { Graph } from '../../api/resources.ts'
import { aggregateKey, type Drawing, entityKey, type Filters, observableKey, type Place } from './model.ts'

export type Content = Graph['content']

type Owner = Content['aggregates'][number]['of']

const round = (number: number): number => Math.round(number * 100) / 100

const placeOf = ({ places }: Drawing, key: string) => {
  const { x, y, isPinned } = places.get(key) ?? { x: 0, y: 0, isPinned: false }
  return { x: round(x), y: round(y), is_pinned: isPinned }
}

/** The saved content of a graph: ids, positions and filters. Node data is loaded again on opening. */
export function contentOf(drawing: Drawing): Content {
  const nodes: Content['nodes'][number][] = []
  const aggregates: Content['aggregates'][number][] = []
  for (const [key, node] of drawing.nodes) {
    const place = placeOf(drawing, key)
    if (node.kind === 'entity') nodes.push({ kind: 'entity', id: node.id, ...place })
    else if (node.kind === 'observable') nodes.push({ kind: 'observable', id: node.id, ...place })
    else aggregates.push({ of: ownerOf(node.of), group: node.group.name, ...place })
  }
  const { hiddenTypes, hiddenKeys, leastDegree, from, until } = drawing.filters
  const filters = { hidden_types: hiddenTypes, hidden_keys: hiddenKeys, least_degree: leastDegree, from, until }
  return { nodes, aggregates, filters }
}

const ownerOf = (key: string): Owner =>
  key.startsWith('e:') ? { kind: 'entity', id: key.slice(2) } : { kind: 'observable', id: Number(key.slice(2)) }

export const ownerKey = ({ kind, id }: Owner): string => (kind === 'entity' ? entityKey(id) : observableKey(id))

/** The node positions of a saved graph, by node key. */
export function placesIn({ nodes, aggregates }: Content): ReadonlyMap<string, Place> {
  const at = ({ x, y, is_pinned }: { x: number; y: number; is_pinned: boolean }) => ({ x, y, isPinned: is_pinned })
  return new Map([
    ...nodes.map((node): [string, Place] => [ownerKey(node), at(node)]),
    ...aggregates.map((each): [string, Place] => [aggregateKey(ownerKey(each.of), { name: each.group }), at(each)]),
  ])
}

export const filtersIn = ({ filters }: Content): Filters => ({
  hiddenTypes: filters.hidden_types,
  hiddenKeys: filters.hidden_keys,
  leastDegree: filters.least_degree,
  from: filters.from,
  until: filters.until,
})
