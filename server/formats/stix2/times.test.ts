import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLater } from './times.ts'

test('timestamps are compared as instants, regardless of their precision', () => {
  const [short, long] = ['2024-01-29T07:42:07.059Z', '2024-01-29T07:42:07.0591Z']
  assert.equal(isLater(long, short), true)
  assert.equal(isLater(short, long), false)
  assert.equal(isLater('2024-01-29T07:42:07Z', '2024-01-29T07:42:07.000000Z'), false)
  assert.equal(isLater('2024-01-29T08:42:07+01:00', '2024-01-29T07:42:06Z'), true)
  assert.equal(isLater('tomorrow', short), false)
})
