import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column } from './columns.ts'
import { NO_FACE } from './faces.ts'
import type { Place } from './matrix-tree.ts'
import { advance, CELLS_PER_FRAME, isDone } from './use-gradual.ts'

const PLACE: Place = { id: 'x', name: 'x', externalId: 'x', platforms: [], parent: null, subs: [] }
const places = Array.from({ length: 1000 }, (_, i): Place => ({ ...PLACE, id: String(i) }))

/** A column of some of the places, at equal distances. */
const column = (id: string, cells: number, text = '', each = 1): Column => ({
  tactic: { id, name: id, externalId: id, techniques: [] },
  cells: Array.from({ length: cells }, (_, i) => ({
    place: places[i * each] ?? PLACE,
    face: { ...NO_FACE, text },
    isOpen: undefined,
  })),
  used: 0,
  count: cells,
})

/** All frames until the columns are drawn. */
function framesOf(before: readonly Column[], columns: readonly Column[]): (readonly Column[])[] {
  const frames = [before]
  for (let drawn = before; !isDone(drawn, columns); frames.push(drawn)) {
    drawn = advance(drawn, columns)
    assert.ok(frames.length < 100, 'it ends')
  }
  return frames
}

const cellsOf = (columns: readonly Column[]) => columns.flatMap(({ cells }) => cells)

test('a matrix is drawn in parts of some cells, also within a column, and completely in the end', () => {
  const columns = [column('a', 20), column('b', 20), column('c', 300), column('d', 1)]
  const frames = framesOf([], columns)
  const added = frames.map((frame, i) => cellsOf(frame).length - cellsOf(frames[i - 1] ?? []).length)
  assert.ok(added.every((count) => count <= CELLS_PER_FRAME))
  assert.equal(frames.length, 1 + Math.ceil(341 / CELLS_PER_FRAME))
  assert.deepEqual(frames.at(-1), columns)
})

test('columns that did not change stay the same objects, and cost nothing', () => {
  const before = [column('a', 300), column('b', 20), column('c', 20)]
  const after = advance(before, [column('a', 300), column('b', 20, '1'), column('c', 20, '1')])
  assert.equal(after[0], before[0])
  assert.deepEqual(
    cellsOf(after.slice(1)).filter(({ face }) => face.text !== '1'),
    [],
  )
})

test('old cells stay on screen until it is their turn, each once', () => {
  const folded = [column('a', 100, '0', 3), column('b', 100, '0')]
  const open = [column('a', 300, '1'), column('b', 100, '1')]
  for (const frame of framesOf(folded, open)) {
    assert.equal(frame.length, 2)
    for (const { cells } of frame) {
      assert.ok(cells.length >= 100)
      assert.equal(new Set(cells.map(({ place }) => place.id)).size, cells.length)
    }
  }
})
