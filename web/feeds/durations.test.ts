import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationOf, sizeOf } from './durations.ts'

test('durations are shown in their largest unit', () => {
  assert.deepEqual([null, 0, 59, 60, 7_200, 200_000].map(durationOf), ['–', '0 s', '59 s', '1 min', '2 h', '2 d'])
})

test('sizes are shown in powers of a thousand', () => {
  assert.deepEqual([0, 999, 1_000, 1_234_567, 5e9].map(sizeOf), ['0 B', '999 B', '1 kB', '1.2 MB', '5 GB'])
})
