import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column } from './columns.ts'
import { NO_FACE } from './faces.ts'
import { cellAt, stepFor } from './grid-keys.ts'

const column = (...ids: readonly string[]): Column => ({
  tactic: { id: 'TA1', name: 'Access', externalId: 'TA1', techniques: [] },
  cells: ids.map((id) => ({
    place: { id, name: id, externalId: id, platforms: [], parent: null, subs: [] },
    face: NO_FACE,
    isOpen: undefined,
  })),
  used: 0,
  count: ids.length,
})

const COLUMNS = [column('a', 'b', 'c'), column(), column('d')]
const press = (from: string, key: string) => {
  const step = stepFor(key)
  return step && cellAt(COLUMNS, from, step)
}

test('arrow keys move within a column and between columns', () => {
  assert.deepEqual([press('a', 'ArrowDown'), press('b', 'ArrowUp')], ['b', 'a'])
  assert.deepEqual([press('a', 'ArrowRight'), press('d', 'ArrowLeft')], ['d', 'a'])
})

test('an empty column is skipped, and a shorter one ends at its last cell', () => {
  assert.equal(press('c', 'ArrowRight'), 'd')
})

test('at an edge the focus stays', () => {
  assert.deepEqual([press('a', 'ArrowUp'), press('c', 'ArrowDown'), press('d', 'ArrowRight')], ['a', 'c', 'd'])
})

test('Home and End lead to the ends of a column', () => {
  assert.deepEqual([press('b', 'Home'), press('a', 'End'), press('a', 'PageDown')], ['a', 'c', 'c'])
})

test('other keys do not move, and an unknown cell leads to the first', () => {
  assert.equal(stepFor('x'), undefined)
  assert.equal(press('gone', 'ArrowDown'), 'a')
})
