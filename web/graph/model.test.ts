import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTo, aggregateKey, arrange, EMPTY, keepOnly, neighboursIn, pin, removeFrom } from './model.ts'
import { domains, draw, entity, observable } from './sample-drawing.ts'

const aggregate = { kind: 'aggregate', of: 'e:a', group: domains(9), offset: 0 } as const
const drawing = draw(
  [entity('a'), entity('b'), observable(1), aggregate],
  [
    ['e:a', 'e:b'],
    ['e:b', 'e:a', 'targets'],
    ['e:a', 'o:1', 'has'],
  ],
)

test('edges need both ends, and an existing node keeps its position', () => {
  const edges = new Map([['x', { kind: 'relationship', source: 'e:a', target: 'e:z', label: '' } as const]])
  const positions = new Map([['e:a', { x: 99, y: 99, isPinned: true }]])
  const after = addTo(drawing, { nodes: [entity('a', 'malware', { title: 'Renamed' })], edges, positions })
  assert.equal(after.edges.size, 3)
  assert.deepEqual(after.positions.get('e:a'), { x: 0, y: 0, isPinned: false })
  const node = after.nodes.get('e:a')
  assert.equal(node?.kind === 'entity' && node.title, 'Renamed')
  assert.equal(EMPTY.nodes.size, 0)
})

test('removing a node removes its edges and aggregates', () => {
  const after = removeFrom(drawing, new Set(['e:a']))
  assert.deepEqual([[...after.nodes.keys()], after.edges.size, after.positions.size], [['e:b', 'o:1'], 0, 2])
  assert.equal(drawing.nodes.size, 4, 'the previous graph is unchanged')
})

test('keeping only some nodes keeps their aggregates', () => {
  const after = keepOnly(drawing, new Set(['e:a', 'o:1']))
  assert.deepEqual([...after.nodes.keys()], ['e:a', 'o:1', aggregateKey('e:a', domains(9))])
  assert.equal(after.edges.size, 1)
})

test('a layout moves all nodes except pinned ones', () => {
  const pinned = pin(drawing, ['e:a'], true, { x: 5, y: 6 })
  const points = new Map(['e:a', 'e:b', 'e:unknown'].map((key) => [key, { x: 70, y: 80 }]))
  const after = arrange(pinned, points)
  assert.deepEqual(after.positions.get('e:a'), { x: 5, y: 6, isPinned: true })
  assert.deepEqual(after.positions.get('e:b'), { x: 70, y: 80, isPinned: false })
  assert.equal(after.positions.has('e:unknown'), false)
  assert.deepEqual(arrange(pin(pinned, ['e:a'], false), points).positions.get('e:a')?.x, 70)
})

test('neighbours are connected by edges in any direction, and include aggregates', () => {
  const around = neighboursIn(drawing)
  assert.deepEqual([...(around.get('e:a') ?? [])], ['e:b', 'o:1', aggregateKey('e:a', domains(9))])
  assert.deepEqual([...(around.get('e:b') ?? [])], ['e:a'])
  assert.equal(neighboursIn(drawing), around, 'it is computed once')
})
