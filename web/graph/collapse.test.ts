import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownKeys, reread, withStandIns } from './collapse.ts'
import { addTo, type EntityNode, emptyGraph, type GraphEdge } from './model.ts'

const entity = (id: string, more: Partial<EntityNode> = {}): EntityNode => ({
  kind: 'entity',
  id,
  type: 'malware',
  title: id,
  tlp_color: null,
  created_at: '2026-01-01T00:00:00Z',
  observed_at: null,
  ...more,
})

const edge = (source: string, target: string): GraphEdge => ({ kind: 'relationship', source, target, label: 'uses' })
const at = (x: number, y: number, isPinned = false) => ({ x, y, isPinned })

const drawing = addTo(emptyGraph(false), {
  nodes: [entity('a'), entity('b'), entity('c')],
  edges: new Map([['1', edge('e:a', 'e:c')]]),
  positions: new Map([
    ['e:a', at(0, 0)],
    ['e:b', at(4, 2, true)],
    ['e:c', at(9, 9)],
  ]),
})
const unified = entity('u', { stands_for: ['a', 'b'] })

test('a unified entity takes the place of its contributors', () => {
  const edges = new Map([['1', edge('e:u', 'e:c')]])
  const collapsed = reread(drawing, true, { nodes: [unified, entity('c')], edges })
  assert.equal(collapsed.isCollapsed, true)
  assert.deepEqual([...collapsed.nodes.keys()], ['e:u', 'e:c'])
  assert.deepEqual(collapsed.positions.get('e:u'), at(2, 1, true))
  assert.deepEqual(collapsed.positions.get('e:c'), at(9, 9))
  assert.deepEqual([...collapsed.edges.values()], [edge('e:u', 'e:c')])
  assert.equal(collapsed.positions.has('e:a'), false)
})

test('a node that has a position keeps it', () => {
  const positions = new Map([...drawing.positions, ['e:u', at(7, 7)] as const])
  assert.deepEqual(withStandIns(positions, [unified]).get('e:u'), at(7, 7))
})

test('groups of nodes stay with their node, and edges need both ends', () => {
  const group = { kind: 'relationship', name: 'g', direction: 'out', key: 'uses', type: 'tool', count: 3 } as const
  const nodes = [
    { kind: 'aggregate', of: 'e:c', group, offset: 0 },
    { kind: 'aggregate', of: 'e:a', group, offset: 0 },
  ] as const
  const grouped = addTo(drawing, { nodes, edges: new Map(), positions: new Map() })
  assert.deepEqual(ownKeys(grouped), ['e:a', 'e:b', 'e:c'])
  const collapsed = reread(grouped, true, { nodes: [entity('c')], edges: new Map([['1', edge('e:u', 'e:c')]]) })
  assert.deepEqual([...collapsed.nodes.keys()], ['e:c', 'a:e:c:g'])
  assert.equal(collapsed.edges.size, 0)
})
