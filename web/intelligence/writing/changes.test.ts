import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf, withChanges } from './changes.ts'

const TEXT = 'The sampel conects.'
const CHANGES = [
  { start: 4, end: 10, before: 'sampel', after: 'sample' },
  { start: 11, end: 18, before: 'conects', after: 'connects' },
  { start: 19, end: 19, before: '', after: ' Often.' },
]

test('changes are made one by one', () => {
  assert.equal(withChanges(TEXT, CHANGES, new Set()), 'The sample connects. Often.')
  assert.equal(withChanges(TEXT, CHANGES, new Set([1])), 'The sample conects. Often.')
  assert.equal(withChanges(TEXT, CHANGES, new Set([0, 1, 2])), TEXT)
  assert.equal(withChanges(TEXT, [], new Set()), TEXT)
})

test('a text is shown as its unchanged parts and the changes between them', () => {
  const shown = partsOf(TEXT, CHANGES).map((part) => ('text' in part ? part.text : part.index))
  assert.deepEqual(shown, ['The ', 0, ' ', 1, '.', 2])
})
