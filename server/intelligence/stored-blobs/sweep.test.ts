import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { before, test } from 'node:test'
import { bareServer } from '../../../test/background.ts'
import { base64, corvus, digest, download, post, stored } from '../../../test/set-up/files.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { openBlobs } from '../../ports/blobs-open.ts'
import { storeBlob } from './store.ts'
import { sweepBlobs } from './sweep.ts'

let blobs: Blobs
let server: ReturnType<typeof bareServer> & { blobs: Blobs }
before(() => {
  blobs = openBlobs(corvus.config)
  server = { ...bareServer(corvus), blobs }
})

const expire = () => corvus.pool.query(`update stored_blobs set claimed_until = now() - interval '1 second'`)
const rows = async (key: string) =>
  (await corvus.pool.query('select from stored_blobs where key = $1', [key])).rows.length

test('content is deleted with its last file, by a run', async () => {
  const bytes = randomBytes(1000)
  const key = digest('sha256', bytes)
  const first = await post({ name: 'a', data: base64(bytes), process: false })
  const second = await post({ name: 'b', data: base64(bytes), process: false })
  await expire()
  assert.equal((await corvus.call('DELETE', `files/${first.id}`)).status, 204)
  await sweepBlobs(server)
  assert.ok((await download(second.id)).rawPayload.equals(bytes))
  assert.equal((await corvus.call('DELETE', 'files', [second.id])).status, 204)
  const { body } = await corvus.call('GET', 'tasks?filter[type]=remove-unused-blobs')
  assert.equal((await corvus.call('GET', `tasks/runs?filter[task]=${body.data[0].id}`)).body.total_count, 1)
  await sweepBlobs(server)
  assert.deepEqual([await blobs.exists(key), await rows(key)], [false, 0])
})

test('recently stored content stays, because a request may be about to refer to it', async () => {
  const { sha256 } = await storeBlob(server, Readable.from([randomBytes(10)]))
  await sweepBlobs(server)
  assert.deepEqual([await blobs.exists(sha256), await rows(sha256)], [true, 1])
  await expire()
  assert.equal(await sweepBlobs(server), 1)
  assert.deepEqual([await blobs.exists(sha256), await rows(sha256)], [false, 0])
})

test('a sweep that breaks off between bytes and row leaves a row that the next one, or the next upload, makes good', async () => {
  const bytes = randomBytes(10)
  const key = digest('sha256', bytes)
  await storeBlob(server, Readable.from([bytes]))
  await expire()
  const breaking: Blobs = {
    ...blobs,
    remove: async (each) => {
      await blobs.remove(each)
      throw new Error('killed')
    },
  }
  await assert.rejects(sweepBlobs({ ...server, blobs: breaking }), /killed/)
  assert.deepEqual([await blobs.exists(key), await rows(key)], [false, 1])
  const { id } = await post({ name: 'again', data: base64(bytes), process: false })
  await sweepBlobs(server)
  assert.ok((await download(id)).rawPayload.equals(bytes))
})

test('an upload during the sweep of its content ends with the content stored', async () => {
  const bytes = randomBytes(100_000)
  for (let round = 0; round < 10; round++) {
    await storeBlob(server, Readable.from([bytes]))
    await expire()
    const item = { name: `round ${round}`, data: base64(bytes), process: false }
    const [made] = await Promise.all([corvus.call('POST', 'files', item), sweepBlobs(server)])
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assert.ok((await download(made.body.data.id)).rawPayload.equals(bytes), `round ${round}`)
    await corvus.call('DELETE', `files/${made.body.data.id}`)
    await expire()
    await sweepBlobs(server)
  }
  const { rows } = await corvus.pool.query('select key from stored_blobs')
  const names = (await stored()).map((path) => path.split('/').at(-1))
  assert.deepEqual(names.sort(), rows.map(({ key }) => key).sort())
})
