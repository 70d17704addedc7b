import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, LARGEST } from '../../../test/set-up/files.ts'

test('how large a file may be is told to who may read files', async () => {
  const { status, body } = await corvus.call('GET', 'files/limits')
  assert.deepEqual([status, body], [200, { data: { largest_file: LARGEST } }])
  const stranger = await corvus.tokenFor(['read entities'])
  assert.equal((await corvus.call('GET', 'files/limits', undefined, stranger)).status, 403)
})
