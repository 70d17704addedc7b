import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column } from './columns.ts'
import { NO_FACE } from './faces.ts'
import type { Place } from './matrix-tree.ts'
import { advance } from './use-gradual.ts'

const PLACE: Place = { id: 'x', name: 'x', externalId: 'x', platforms: [], parent: null, subs: [] }

const column = (id: string, cells: number, text = ''): Column => ({
  tactic: { id, name: id, externalId: id, techniques: [] },
  cells: Array.from({ length: cells }, () => ({ place: PLACE, face: { ...NO_FACE, text }, isOpen: undefined })),
  used: 0,
  count: cells,
})

const numbers = (columns: readonly Column[]) => columns.map(({ cells }) => cells[0]?.face.text).join('')

test('a matrix is drawn in parts, and completely in the end', () => {
  const columns = [column('a', 100), column('b', 100), column('c', 300), column('d', 1)]
  const first = advance([], columns)
  assert.equal(first.length, 2)
  const second = advance(first, columns)
  assert.equal(second.length, 3)
  assert.deepEqual(advance(second, columns), columns)
})

test('columns that did not change stay the same objects, and cost nothing', () => {
  const before = [column('a', 100), column('b', 100), column('c', 100)]
  const after = advance(before, [column('a', 100), column('b', 100, '1'), column('c', 100, '1')])
  assert.equal(after[0], before[0])
  assert.equal(numbers(after), '11')
})

test('old columns stay on screen until it is their turn', () => {
  const before = [column('a', 100, '0'), column('b', 100, '0'), column('c', 100, '0')]
  const wanted = [column('a', 100, '1'), column('b', 100, '1'), column('c', 100, '1')]
  assert.equal(numbers(advance(before, wanted)), '110')
  assert.equal(numbers(advance(advance(before, wanted), wanted)), '111')
})
