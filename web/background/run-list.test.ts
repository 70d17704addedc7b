import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lasted, runParameters } from './run-list.ts'

test('a view filters by its states, or by none', () => {
  assert.deepEqual(runParameters('warned', '7')['filter[state]'], ['WARNING', 'CAP_REACHED'])
  assert.equal(runParameters('warned', '7')['filter[task]'], '7')
  assert.equal('filter[state]' in runParameters('', ''), false)
  assert.equal('filter[state]' in runParameters('never heard of', ''), false)
})

test('a duration is shown in its largest units, and up to now for an active run', () => {
  const from = '2026-01-01T00:00:00Z'
  assert.equal(lasted(from, '2026-01-01T00:00:59Z', 0), '59 s')
  assert.equal(lasted(from, '2026-01-01T00:02:05Z', 0), '2 min 5 s')
  assert.equal(lasted(from, null, Date.parse('2026-01-01T03:30:00Z')), '3 h 30 min')
  assert.equal(lasted(null, null, 0), '–')
})
