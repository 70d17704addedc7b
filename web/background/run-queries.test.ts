import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsOf, hasEnded, pauseAfter } from './run-queries.ts'

test('a run is polled often at first, then less and less', () => {
  const pauses = [0, 1, 5, 100].map(pauseAfter)
  assert.deepEqual(
    pauses,
    [...pauses].sort((a, b) => a - b),
  )
  assert.ok((pauses[0] ?? 0) < 1_000)
  assert.equal(pauses[3], 5_000)
})

test('a run that will be retried has not ended', () => {
  assert.equal(hasEnded({ ended_at: null }), false)
  assert.equal(hasEnded({ ended_at: '2026-01-01T00:00:00+00:00' }), true)
})

test('counts in a result are shown as text, everything else is omitted', () => {
  assert.deepEqual(countsOf({ matched: 1200, by_kind: {}, not_changed: 0, url: 'x' }), [
    '1,200 matched',
    '0 not changed',
  ])
  assert.deepEqual([countsOf(null), countsOf([1]), countsOf('x')], [[], [], []])
})
