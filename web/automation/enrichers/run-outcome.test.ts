import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomeOf, sampleState } from './run-outcome.ts'

test('a run shows only what occurred, and its samples', () => {
  const samples = [{ enricher: 1, observable: 2, state: 'SKIPPED', reason: 'It is TLP RED.' }]
  const result = { summary: 'Of 3 look-ups, …', look_ups: 3, found: 2, empty: 0, cached: 0, skipped: 1, samples }
  assert.deepEqual(outcomeOf({ result }), {
    summary: 'Of 3 look-ups, …',
    counts: [
      { label: 'found', count: 2, color: 'green' },
      { label: 'skipped', count: 1, color: 'yellow' },
    ],
    samples,
  })
})

test('runs without a result, or of other kinds, have no outcome', () => {
  for (const result of [null, 'text', { matched: 3 }, []]) assert.equal(outcomeOf({ result }), null)
})

test('states are written out', () => {
  assert.equal(sampleState('NOT_DONE'), 'Not done')
})
