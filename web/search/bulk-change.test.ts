import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TLP_COLOURS } from '../domain/tlp.ts'
import { type Before, changeMessage, inverseOf, leftOutMessage, requestOf } from './bulk-change.ts'
import { countSelected, EVERYTHING, isSelected, NOTHING, ranged, selectedQueries, toggled } from './selection.ts'

const before: Before[] = [
  { id: 'a', meta: { tags: ['x'], tlp_color: 'RED', taxonomies: ['http://h/api/v2/taxonomies/3'] }, datasets: [] },
  { id: 'b', meta: { tags: ['X'], tlp_color: null }, datasets: ['http://h/api/v2/datasets/7'] },
  { id: 'c' },
]

test('only actual changes are undone', () => {
  assert.deepEqual(inverseOf({ kind: 'add-tag', tag: 'x' }, before), [
    { change: { kind: 'remove-tag', tag: 'x' }, ids: ['b', 'c'] },
  ])
  assert.deepEqual(inverseOf({ kind: 'remove-tag', tag: 'x' }, before)[0]?.ids, ['a'])
  assert.deepEqual(inverseOf({ kind: 'remove-tag', tag: 'y' }, before), [])
  assert.deepEqual(inverseOf({ kind: 'add-dataset', dataset: '7', name: '' }, before)[0]?.ids, ['a', 'c'])
  assert.deepEqual(inverseOf({ kind: 'add-taxonomy', taxonomy: '3', name: '' }, before)[0]?.ids, ['b', 'c'])
})

test('undo restores the previous colour of each entity', () => {
  assert.deepEqual(inverseOf({ kind: 'tlp', colour: 'GREEN' }, before), [
    { change: { kind: 'tlp', colour: 'RED' }, ids: ['a'] },
    { change: { kind: 'tlp', colour: null }, ids: ['b', 'c'] },
  ])
  assert.deepEqual(inverseOf({ kind: 'tlp', colour: null }, before)[0]?.ids, ['a'])
})

test('each change has a request', () => {
  assert.deepEqual(requestOf({ kind: 'tlp', colour: null }).body, { tlp_color: null })
  assert.deepEqual(requestOf({ kind: 'remove-dataset', dataset: '7', name: 'x' }), {
    path: 'datasets/7/entities/by-query',
    body: { action: 'remove' },
  })
})

const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))

test('rows are selected one by one and in ranges', () => {
  const one = toggled(NOTHING, 'b', 1)
  const range = ranged(one, rows, 3)
  assert.deepEqual([...range.ids], ['b', 'c', 'd'])
  assert.deepEqual([...ranged(toggled(range, 'd', 3), rows, 2).ids], ['b'])
  assert.deepEqual([...ranged(NOTHING, rows, 1).ids], ['a', 'b'])
})

test('all results can be selected, except some', () => {
  const most = toggled(EVERYTHING, 'b', 1)
  assert.equal(countSelected(most, 100), 99)
  assert.ok(!isSelected(most, 'b') && isSelected(most, 'zzz'))
  assert.deepEqual([...ranged(most, rows, 3).ids], ['b', 'c', 'd'])
  assert.deepEqual(selectedQueries(most, 'tags:x'), ['+(tags:x) -id:(b)'])
  assert.deepEqual(selectedQueries(EVERYTHING, ''), ['*:*'])
})

test('a large number of ids is split into several queries', () => {
  const many = { ...NOTHING, ids: new Set(Array.from({ length: 501 }, (_, i) => `i${i}`)) }
  const queries = selectedQueries(many, 'tags:x')
  assert.equal(queries.length, 2)
  assert.equal(queries[1], 'id:(i500)')
})

test('every TLP 2.0 colour can be set, in the order of restriction, and is described correctly', () => {
  assert.deepEqual(TLP_COLOURS, ['WHITE', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'])
  assert.deepEqual(requestOf({ kind: 'tlp', colour: 'AMBER_STRICT' }).body, { tlp_color: 'AMBER_STRICT' })
  assert.equal(changeMessage({ kind: 'tlp', colour: 'WHITE' }, 1), 'TLP:CLEAR set on 1 entity.')
  assert.match(
    changeMessage({ kind: 'tlp', colour: 'AMBER_STRICT' }, 2),
    /^TLP:AMBER\+STRICT set on 2 entities\. It is displayed as/,
  )
})

test('unified entities that are left out are mentioned', () => {
  assert.equal(leftOutMessage(0), '')
  assert.equal(leftOutMessage(1), '1 unified entity is left out, because only its contributors can be changed.')
  assert.match(leftOutMessage(1200), /^1,200 unified entities are left out, because only their contributors/)
})
