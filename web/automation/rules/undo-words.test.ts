import assert from 'node:assert/strict'
import { test } from 'node:test'
import { undoInWords } from './undo-words.ts'

test('an undo says what it takes back and what it keeps', () => {
  const words = (undone: number, kept: number) => undoInWords({ undone, kept, reasons: [] })
  assert.equal(words(0, 0), 'There is nothing to undo.')
  assert.equal(words(0, 1), 'Nothing can be undone: 1 change would be kept.')
  assert.equal(words(1200, 0), '1,200 changes will be undone.')
  assert.equal(words(1, 3), '1 change will be undone, 3 changes kept.')
})
