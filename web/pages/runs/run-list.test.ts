import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lasted, runParameters } from './run-list.ts'

test('a view of runs asks for its states, and all of them for none', () => {
  assert.deepEqual(runParameters('warned', '7')['filter[state]'], ['WARNING', 'CAP_REACHED'])
  assert.equal(runParameters('warned', '7')['filter[task]'], '7')
  assert.equal('filter[state]' in runParameters('', ''), false)
  assert.equal('filter[state]' in runParameters('never heard of', ''), false)
})

test('how long a run took is told in the largest units, and so far for one that has not ended', () => {
  const from = '2026-01-01T00:00:00Z'
  assert.equal(lasted(from, '2026-01-01T00:00:59Z', 0), '59 s')
  assert.equal(lasted(from, '2026-01-01T00:02:05Z', 0), '2 min 5 s')
  assert.equal(lasted(from, null, Date.parse('2026-01-01T03:30:00Z')), '3 h 30 min')
  assert.equal(lasted(null, null, 0), '–')
})
