import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, MAX_FILE_BYTES } from '../../../test/set-up/files.ts'

test('the maximum size of a file is available to users who may read files', async () => {
  const { status, body } = await corvus.call('GET', 'files/limits')
  assert.deepEqual([status, body], [200, { data: { largest_file: MAX_FILE_BYTES } }])
  const stranger = await corvus.tokenFor(['read entities'])
  assert.equal((await corvus.call('GET', 'files/limits', undefined, stranger)).status, 403)
})
