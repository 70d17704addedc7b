import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ListedNode, treeOf } from './matrix-tree.ts'

const node = (id: string, type: ListedNode['type'], parent: string | null, position: number): ListedNode => ({
  id,
  name: `name of ${id}`,
  type,
  parent: parent && `https://corvus.example/api/v2/attacks/${encodeURIComponent(parent)}`,
  external_id: id.split(':').at(-1) ?? id,
  position,
  platforms: type === 'technique' ? ['Windows', 'Linux'] : [],
})

const NODES = [
  node('TA2:T1', 'technique', 'TA2', 9),
  node('TA2', 'tactic', 'm', 8),
  node('TA1:T2.002', 'subtechnique', 'TA1:T2', 5),
  node('TA1:T2.001', 'subtechnique', 'TA1:T2', 4),
  node('TA1:T2', 'technique', 'TA1', 3),
  node('TA1:T1', 'technique', 'TA1', 2),
  node('TA1', 'tactic', 'm', 1),
  node('m', 'matrix', null, 0),
]

test('tactics, techniques and sub-techniques are below each other, in the order of the matrix', () => {
  const { tactics, platforms } = treeOf(NODES)
  assert.deepEqual(
    tactics.map(({ id, techniques }) => [id, techniques.map((each) => [each.id, each.subs.map((sub) => sub.id)])]),
    [
      [
        'TA1',
        [
          ['TA1:T1', []],
          ['TA1:T2', ['TA1:T2.001', 'TA1:T2.002']],
        ],
      ],
      ['TA2', [['TA2:T1', []]]],
    ],
  )
  assert.deepEqual(platforms, ['Linux', 'Windows'])
})

test('every technique and sub-technique is found by its id, with its technique', () => {
  const { places } = treeOf(NODES)
  assert.equal(places.size, 5)
  assert.equal(places.get('TA1:T2.001')?.parent, 'TA1:T2')
  assert.equal(places.get('TA1:T2')?.parent, null)
  assert.equal(places.get('TA1'), undefined)
})
