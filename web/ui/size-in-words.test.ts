import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeInWords } from './size-in-words.ts'

test('sizes are shown in the matching unit', () => {
  assert.deepEqual([0, 1023, 1024, 1536, 200 * 1024 ** 2, 1024 ** 3].map(sizeInWords), [
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 KiB',
    '200 MiB',
    '1.0 GiB',
  ])
})
