import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellState, compareAddress, comparedIds, comparedSet, compareEntities } from './comparison.ts'

const version = (data: object, meta: object = {}) => ({ data: { ...data }, meta: { ...meta } })

test('fields are aligned at any depth, and equal ones are marked', () => {
  const rows = compareEntities([
    version({ id: 'x', title: 'A', information_source: { identity: { name: 'x' }, roles: [] } }),
    version({ id: 'y', title: 'A', information_source: { identity: { name: 'y' } } }, { half_life: 30 }),
  ])
  assert.deepEqual(
    rows.map(({ path, values, isEqual }) => [path, values, isEqual]),
    [
      ['data.title', ['A', 'A'], true],
      ['data.information_source.identity.name', ['x', 'y'], false],
      ['meta.half_life', [undefined, 30], false],
    ],
  )
})

test('lists are compared as sets, with what is only in some of them', () => {
  const [row] = compareEntities([version({ aliases: ['a', 'b'] }), version({ aliases: ['b', 'c'] }), version({})])
  assert.deepEqual(row?.items, [
    { item: 'a', isIn: [true, false, false] },
    { item: 'b', isIn: [true, true, false] },
    { item: 'c', isIn: [false, true, false] },
  ])
  assert.equal(row?.isEqual, false)
})

test('a value is the same as that of the first column, different from it, or missing', () => {
  const [title, names, added] = compareEntities([
    version({ title: 'A', names: ['x', 'y'] }),
    version({ title: 'B', names: ['y', 'x'], added: 1 }),
    version({ names: ['x'] }),
  ])
  assert.ok(title && names && added)
  assert.deepEqual(
    [title, names, added].map((row) => [0, 1, 2].map((column) => cellState(row, column))),
    [
      ['same', 'different', 'missing'],
      ['same', 'same', 'different'],
      ['same', 'different', 'same'],
    ],
  )
})

test('neither the order of items nor that of their properties is a difference', () => {
  const [row] = compareEntities([
    version({ phases: [{ a: 1, b: 2 }, 'x'] }),
    version({ phases: ['x', { b: 2, a: 1 }] }),
  ])
  assert.equal(row?.isEqual, true)
  assert.equal(comparedSet('observables', [['a'], ['b']]).isEqual, false)
})

test('a document next to plain text is one value, and fields that the server generates are not compared', () => {
  const rows = compareEntities([
    version({ confidence: { value: 'High' } }, { ingest_time: 'a', is_unified_entity: true }),
    version({ confidence: 'high' }, { ingest_time: 'b', is_unified_entity: false }),
  ])
  assert.deepEqual(
    rows.map(({ path, items }) => [path, items]),
    [['data.confidence', undefined]],
  )
})

test('the address of a comparison contains valid ids once, at most four', () => {
  const ids = Array.from({ length: 6 }, (_, i) => `0000000${i}-0000-4000-8000-000000000000`)
  const [first = '', second = ''] = ids
  assert.deepEqual(compareAddress([first, second]), { to: `/entities/${first}/compare`, search: { with: second } })
  assert.deepEqual(compareAddress([first]), { to: `/entities/${first}/compare`, search: {} })
  assert.deepEqual(comparedIds([first, 'x', second, second].join(), first), [second])
  assert.equal(comparedIds(ids.join(), '').length, 4)
  assert.deepEqual(comparedIds(undefined, first), [])
})
