import {
  addTo,
  type Drawing,
  EMPTY,
  type EntityNode,
  type GraphEdge,
  type GraphNode,
  type Group,
  keyOf,
  type ObservableNode,
} from './model.ts'

/** Sample nodes and graphs for tests. */
export const entity = (id: string, type = 'malware', rest: Partial<EntityNode> = {}): EntityNode => ({
  kind: 'entity',
  id,
  type,
  title: `Entity ${id}`,
  tlp_color: null,
  created_at: '2026-03-01T00:00:00+00:00',
  observed_at: null,
  ...rest,
})

export const observable = (id: number, type = 'domain'): ObservableNode => ({
  kind: 'observable',
  id,
  type,
  value: `${id}.example`,
  display_value: `${id}[.]example`,
  maliciousness: 'unknown',
  created_at: '2026-05-01T00:00:00+00:00',
})

export const domains = (count: number): Group => ({
  kind: 'observable',
  name: 'ZG9tYWlucw',
  direction: 'out',
  key: '',
  type: 'domain',
  count,
})

type Pair = readonly [source: string, target: string, label?: string]

/** A graph with nodes in a row and the given edges. */
export function draw(nodes: readonly GraphNode[], pairs: readonly Pair[] = []): Drawing {
  const edges = pairs.map(([source, target, label = 'uses'], i): [string, GraphEdge] => [
    String(i),
    { kind: target.startsWith('o:') ? 'observable' : 'relationship', source, target, label },
  ])
  const positions = new Map(nodes.map((node, i) => [keyOf(node), { x: i * 10, y: 0, isPinned: false }]))
  return addTo(EMPTY, { nodes, edges: new Map(edges), positions })
}
