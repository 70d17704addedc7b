import assert from 'node:assert/strict'
import { test } from 'node:test'
import { degreeOf, isLarge, labelOf, membersIn, nextPiece, remainingOf, withoutEmpty } from './aggregates.ts'
import { type AggregateNode, type Group, keyOf } from './model.ts'
import { domains, draw, entity, observable } from './sample-drawing.ts'

const uses = (direction: 'out' | 'in', type: string, count: number): Group => ({
  kind: 'relationship',
  name: 'dXNlcw',
  direction,
  key: 'uses',
  type,
  count,
})

const drawing = draw(
  [entity('a', 'threat-actor'), entity('b'), entity('c', 'tool'), observable(1), observable(2, 'ipv4')],
  [
    ['e:a', 'e:b'],
    ['e:a', 'e:b', 'targets'],
    ['e:a', 'e:c'],
    ['e:a', 'o:1'],
    ['e:a', 'o:2'],
    ['e:b', 'o:1'],
  ],
)

test('the members of a group have its relationship type, direction and entity type', () => {
  const names = (of: string, group: Group) => [...membersIn(drawing, of, group)]
  assert.deepEqual(names('e:a', uses('out', 'malware', 9)), ['e:b'])
  assert.deepEqual(names('e:a', uses('in', 'malware', 9)), [])
  assert.deepEqual(names('e:b', uses('in', 'threat-actor', 9)), ['e:a'])
  assert.deepEqual(names('e:a', { ...uses('out', 'malware', 9), key: 'drops' }), [])
  assert.deepEqual(names('e:a', domains(9)), ['o:1'])
  const holders: Group = { kind: 'holder', name: 'malware', direction: 'in', key: '', type: 'malware', count: 3 }
  assert.deepEqual(names('o:1', holders), ['e:b'])
})

test('an aggregate shows how many members it stands for, and disappears when none are left', () => {
  const node: AggregateNode = { kind: 'aggregate', of: 'e:a', group: domains(313), offset: 0 }
  assert.equal(remainingOf(drawing, node), 312)
  assert.equal(labelOf(drawing, node), '+312 domains')
  assert.equal(labelOf(drawing, { ...node, group: domains(2) }), '+1 domain')
  const nodes = [...drawing.nodes.values()]
  const pairs = [...drawing.edges.values()].map(({ source, target, label }) => [source, target, label] as const)
  const full = { ...node, group: domains(1) }
  assert.equal(withoutEmpty(draw([...nodes, full], pairs)).nodes.has(keyOf(full)), false)
  assert.equal(withoutEmpty(draw([...nodes, node], pairs)).nodes.has(keyOf(node)), true)
  assert.equal(degreeOf(draw([...nodes, node], pairs), 'e:a'), 4)
})

test('the size of a group is the number of members not shown yet', () => {
  assert.deepEqual(
    [26, 27].map((count) => isLarge(drawing, 'e:a', domains(count))),
    [false, true],
  )
})

const members = Array.from({ length: 12 }, (_, i) => `o:${i}`)
const read = async (offset: number) => {
  const keys = members.slice(offset, offset + 5)
  return { keys, next: offset + 5 < members.length ? offset + 5 : null }
}

test('each piece continues after the previous one and skips members already shown', async () => {
  const drawn = new Set(['o:1', 'o:6'])
  const first = await nextPiece(read, (key) => drawn.has(key), 0, 4)
  assert.deepEqual(first, { keys: ['o:0', 'o:2', 'o:3', 'o:4'], offset: 5 })
  for (const key of first.keys) drawn.add(key)
  const second = await nextPiece(read, (key) => drawn.has(key), first.offset, 4)
  assert.deepEqual(second, { keys: ['o:5', 'o:7', 'o:8', 'o:9'], offset: 10 })
})

test('at the end of a group, reading restarts once to find members that were removed', async () => {
  const gone = new Set(['o:3', 'o:11'])
  const piece = await nextPiece(read, (key) => !gone.has(key), 10, 50)
  assert.deepEqual(piece, { keys: ['o:11', 'o:3'], offset: 0 })
  assert.deepEqual(await nextPiece(read, () => true, 7, 50), { keys: [], offset: 0 })
})
