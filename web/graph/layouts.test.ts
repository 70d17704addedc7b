import assert from 'node:assert/strict'
import { test } from 'node:test'
import { towards } from './directions.ts'
import { taskOf } from './force.ts'
import { around, LAYOUTS, layers, type Points, rightOf, scatter } from './layouts.ts'
import { pin } from './model.ts'
import { placeNew } from './place-nodes.ts'
import { draw, entity, observable } from './sample-drawing.ts'

const nodes = [...Array.from({ length: 9 }, (_, i) => entity(`n${i}`, i % 2 ? 'tool' : 'malware')), observable(1)]
const drawing = draw(nodes, [
  ['e:n0', 'e:n1'],
  ['e:n0', 'e:n2'],
  ['e:n0', 'e:n3'],
  ['e:n3', 'e:n4'],
  ['e:n5', 'e:n6'],
])
const keys = [...drawing.nodes.keys()]

/** The smallest distance between two of the points. */
function closest(points: Points): number {
  const list = [...points.values()]
  return Math.min(...list.flatMap((a, i) => list.slice(i + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y))))
}

test('every layout gives every node a distinct position', () => {
  for (const [name, layOut] of Object.entries({ ...LAYOUTS, scatter })) {
    const points = layOut(drawing, keys)
    assert.deepEqual([...points.keys()].sort(), [...keys].sort(), name)
    assert.ok(closest(points) >= 20, `${name}: ${closest(points)}`)
    assert.deepEqual(layOut(drawing, []).size, 0, name)
  }
})

test('a hierarchy has the node with the most neighbours on top, and its neighbours one row below', () => {
  const points = layers(drawing, keys)
  const row = (key: string) => Math.round((points.get(key)?.y ?? 1) / -120)
  assert.deepEqual(['e:n0', 'e:n1', 'e:n2', 'e:n3', 'e:n4', 'e:n5', 'e:n6', 'e:n8'].map(row), [0, 1, 1, 1, 2, 0, 1, 0])
})

test('new nodes are placed around their origin, around a neighbour, or next to all others', () => {
  const [near, far, lone] = [entity('near'), entity('far'), entity('lone')]
  const edges = new Map([['x', { kind: 'relationship', source: 'e:far', target: 'e:n8', label: '' } as const]])
  const anchored = placeNew(drawing, [near, far, lone], edges, null)
  const distance = (key: string, x: number) => Math.hypot((anchored.get(key)?.x ?? 0) - x, anchored.get(key)?.y ?? 0)
  assert.ok(distance('e:far', 80) < 120)
  assert.ok((anchored.get('e:lone')?.x ?? 0) > 90)
  const origin = placeNew(drawing, [near], new Map(), 'e:n0')
  assert.ok(Math.hypot(origin.get('e:near')?.x ?? 0, origin.get('e:near')?.y ?? 0) < 120)
  assert.equal(placeNew(drawing, [entity('n0')], new Map(), null).size, 0, 'existing nodes keep their position')
  assert.deepEqual(rightOf([]), { x: 0, y: 0 })
  assert.ok(closest(around({ x: 3, y: 3 }, keys)) > 20)
})

test('the force layout receives nodes and edges as rows of numbers, with pinned nodes fixed', () => {
  const { nodes: rows, edges } = taskOf(pin(drawing, ['e:n1'], true), ['e:n0', 'e:n1', 'e:n5'], new Set(['e:n5']))
  assert.deepEqual([rows.length, [...edges]], [30, [0, 10, 1]], 'an edge to a hidden node has no effect')
  assert.deepEqual([rows[9], rows[19], rows[29]], [0, 1, 1])
  assert.deepEqual([rows[6], rows[16], rows[26]], [2, 2, 1], 'nodes with edges have more mass')
})

test('arrow keys lead to the neighbour closest to their direction, or else to any node there', () => {
  const positions = new Map([
    ['here', { x: 0, y: 0 }],
    ['right', { x: 50, y: 5 }],
    ['aslant', { x: 20, y: 18 }],
    ['above', { x: 2, y: 60 }],
    ['left', { x: -30, y: 0 }],
    ['hidden', { x: 5, y: 0 }],
  ])
  const shown = new Set([...positions.keys()].filter((key) => key !== 'hidden'))
  const neighbours = new Set(['right', 'aslant', 'above', 'hidden'])
  const go = (direction: 'left' | 'right' | 'up' | 'down') => towards('here', direction, positions, neighbours, shown)
  assert.deepEqual([go('right'), go('up'), go('left'), go('down')], ['aslant', 'aslant', 'left', undefined])
  assert.equal(towards('nowhere', 'up', positions, neighbours, shown), undefined)
  assert.equal(towards('aslant', 'right', positions, new Set(['right']), shown), 'right')
})
