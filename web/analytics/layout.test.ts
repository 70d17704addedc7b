import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder, type Layout, move, readLayout, resize } from './layout.ts'

const position = (x: number, y: number, w = 4, h = 4) => ({ x, y, w, h })

/** Checks that no widgets overlap and none could move up. */
function assertSound(layout: Layout): void {
  const positions = Object.values(layout)
  for (const [i, a] of positions.entries()) {
    assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.w <= 12, JSON.stringify(a))
    for (const b of positions.slice(i + 1))
      assert.ok(a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h, JSON.stringify([a, b]))
  }
}

test('widgets without a position fill the rows from the left', () => {
  const layout = readLayout(undefined, ['1', '2', '3', '4'])
  assertSound(layout)
  assert.deepEqual(
    ['1', '2', '3', '4'].map((id) => [layout[id]?.x, layout[id]?.y]),
    [
      [0, 0],
      [4, 0],
      [8, 0],
      [0, 6],
    ],
  )
})

test('invalid positions and those of deleted widgets are ignored', () => {
  const layout = readLayout({ 1: position(11, 0, 40), 2: { x: 'a' }, 3: null, 9: position(0, 0) }, ['1', '2', '3'])
  assertSound(layout)
  assert.deepEqual(Object.keys(layout).sort(), ['1', '2', '3'])
  assert.deepEqual(layout['1'], position(0, 0, 12))
})

test('moving a widget pushes others down and keeps it within the columns', () => {
  const start = readLayout({ 1: position(0, 0), 2: position(4, 0), 3: position(0, 4, 12) }, ['1', '2', '3'])
  const right = move(start, '1', 4, 0)
  assertSound(right)
  assert.deepEqual(right['1'], position(4, 0))
  assert.equal(right['2']?.y, 4)
  assert.deepEqual(move(start, '1', -5, -5), start)
  assert.deepEqual(move(start, '2', 20, 0)['2'], position(8, 0))
})

test('moving a widget down swaps it with the one below', () => {
  const start = readLayout({ 1: position(0, 0), 2: position(0, 4) }, ['1', '2'])
  const down = move(start, '1', 0, 1)
  assertSound(down)
  assert.deepEqual(inOrder(down), ['2', '1'])
  assert.deepEqual(inOrder(move(down, '1', 0, -1)), ['1', '2'])
})

test('a widget cannot grow beyond the edge or shrink below its minimum size', () => {
  const start = readLayout({ 1: position(4, 0), 2: position(8, 0) }, ['1', '2'])
  const wide = resize(start, '1', 20, 2)
  assertSound(wide)
  assert.deepEqual(wide['1'], position(4, 0, 8, 6))
  assert.deepEqual(resize(start, '1', -20, -20)['1'], position(4, 0, 2, 2))
})

test('random operations keep a layout valid', () => {
  let layout = readLayout(undefined, ['1', '2', '3', '4', '5', '6'])
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % most
  }
  for (let i = 0; i < 500; i++) {
    const id = String(1 + random(6))
    const [a, b] = [random(9) - 4, random(9) - 4]
    layout = random(2) ? move(layout, id, a, b) : resize(layout, id, a, b)
    assertSound(layout)
  }
})
