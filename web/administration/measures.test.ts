import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytes, span } from './measures.ts'

test('sizes are shown in the most readable unit', () => {
  assert.deepEqual([0, 999, 1_000, 1_540_000, 123_456_789, 5e15].map(bytes), [
    '0 B',
    '999 B',
    '1.0 kB',
    '1.5 MB',
    '123 MB',
    '5000 TB',
  ])
})

test('durations are shown in their two largest units', () => {
  assert.deepEqual([0, 59, 60, 3_725, 90_061].map(span), ['0 s', '59 s', '1 min', '1 h 2 min', '1 d 1 h'])
})
