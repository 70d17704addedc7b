import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adjacentCard, cardAction } from './board-keys.ts'

const pressed = (key: string, held: object = {}) =>
  cardAction({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...held })

test('arrow keys move between cards, and with Shift they move the card', () => {
  assert.deepEqual(pressed('ArrowDown'), { kind: 'go', column: 0, row: 1 })
  assert.deepEqual(pressed('ArrowRight', { shiftKey: true }), { kind: 'move', step: 1 })
  assert.deepEqual(pressed('ArrowLeft', { shiftKey: true }), { kind: 'move', step: -1 })
})

test('browser shortcuts and all other keys are ignored', () => {
  assert.equal(pressed('ArrowLeft', { altKey: true }), undefined)
  assert.equal(pressed('ArrowDown', { shiftKey: true }), undefined)
  assert.equal(pressed('Enter'), undefined)
})

test('moving stays within a column vertically and skips empty columns horizontally', () => {
  const counts = [3, 0, 1]
  assert.deepEqual(adjacentCard(counts, { column: 0, row: 2 }, { column: 0, row: 1 }), { column: 0, row: 2 })
  assert.deepEqual(adjacentCard(counts, { column: 0, row: 2 }, { column: 1, row: 0 }), { column: 2, row: 0 })
  assert.deepEqual(adjacentCard(counts, { column: 2, row: 0 }, { column: 1, row: 0 }), { column: 2, row: 0 })
  assert.deepEqual(adjacentCard(counts, { column: 0, row: 0 }, { column: -1, row: 0 }), { column: 0, row: 0 })
})
