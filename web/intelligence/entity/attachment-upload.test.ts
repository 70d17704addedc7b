import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base64Of } from './attachment-upload.ts'

test('a file of any size is encoded in base64 correctly', async () => {
  for (const size of [0, 1, 24_575, 24_576, 24_577, 100_000]) {
    const bytes = Buffer.from(Array.from({ length: size }, (_, i) => (i * 7) % 256))
    assert.equal(await base64Of(new Blob([bytes])), bytes.toString('base64'))
  }
})
