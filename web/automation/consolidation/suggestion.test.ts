import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manyInWords } from './decide-all.ts'
import { decidedInWords, NO_FILTERS, suggestionParameters } from './suggestion.ts'

test('open suggestions come in the order of review, decided ones the latest first', () => {
  assert.equal(suggestionParameters('open', NO_FILTERS).sort, 'id')
  assert.deepEqual(suggestionParameters('refused', { ...NO_FILTERS, type: 'malware' }), {
    'filter[state]': 'refused',
    'filter[type]': 'malware',
    'filter[reasons.kind]': undefined,
    'filter[source]': undefined,
    sort: '-decided_at',
  })
})

test('decisions are put into words', () => {
  assert.equal(decidedInWords('accepted', 'A', 'B'), '“A” and “B” were consolidated.')
  assert.equal(decidedInWords('refused', 'A', 'B'), '“A” and “B” are not the same.')
})

test('decisions about several suggestions are counted, including those that came too late', () => {
  assert.equal(manyInWords('refuse', { done: 2, late: 0, failed: 0 }), '2 suggestions refused')
  assert.equal(
    manyInWords('reopen', { done: 1, late: 1, failed: 3 }),
    '1 suggestion reopened. 1 suggestion had already been decided. 3 suggestions could not be changed; try again',
  )
})
