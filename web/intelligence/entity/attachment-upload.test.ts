import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base64Of, sizeText } from './attachment-upload.ts'

test('a file of any size is encoded in base64 correctly', async () => {
  for (const size of [0, 1, 24_575, 24_576, 24_577, 100_000]) {
    const bytes = Buffer.from(Array.from({ length: size }, (_, i) => (i * 7) % 256))
    assert.equal(await base64Of(new Blob([bytes])), bytes.toString('base64'))
  }
})

test('sizes are shown in the matching unit', () => {
  assert.deepEqual([0, 1023, 1024, 1_572_864, 5 * 1024 ** 3].map(sizeText), [
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 MiB',
    '5.0 GiB',
  ])
})
