import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byUrgency } from './urgency.ts'

const named = (name: string, state: 'ACTIVE' | 'SUSPENDED' | 'INACTIVE' | 'WAITING', used = 0) => ({
  name,
  state,
  quota: used === 0 ? [] : [{ seconds: 86_400, calls: 100, used, left: 100 - used, resets_at: null }],
})

test('enrichers with problems come first, then those with the least quota left, inactive ones last', () => {
  const sorted = byUrgency([
    named('off', 'INACTIVE', 100),
    named('b', 'ACTIVE'),
    named('a', 'ACTIVE'),
    named('used', 'ACTIVE', 90),
    named('waits', 'WAITING'),
    named('refused', 'SUSPENDED'),
  ])
  assert.deepEqual(
    sorted.map(({ name }) => name),
    ['refused', 'waits', 'used', 'a', 'b', 'off'],
  )
})
