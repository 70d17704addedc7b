import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sinceOf, undoInWords } from './undo-words.ts'

test('an undo says what it takes back and what it keeps', () => {
  const words = (undone: number, kept: number) => undoInWords({ undone, kept, reasons: [] })
  assert.equal(words(0, 0), 'There is nothing to undo.')
  assert.equal(words(0, 1), 'Nothing can be undone: 1 change would be kept.')
  assert.equal(words(1200, 0), '1,200 changes will be undone.')
  assert.equal(words(1, 3), '1 change will be undone, 3 changes kept.')
})

test('the time of an undo is sent with seconds and in UTC, however it was typed', () => {
  assert.equal(sinceOf('2026-11-18T01:52Z'), '2026-11-18T01:52:00.000Z')
  assert.equal(sinceOf('2026-11-18T01:52:30+01:00'), '2026-11-18T00:52:30.000Z')
  assert.equal(sinceOf('2026-11-18'), '2026-11-18T00:00:00.000Z')
  for (const wrong of ['', 'yesterday']) assert.equal(sinceOf(wrong), undefined)
})
