import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { blobs, corvus, digest, download, KIB, MIB, PATH } from '../../../test/set-up/attachments.ts'

test('downloads return the uploaded content at every size', async () => {
  for (const size of [0, 1, 256 * KIB - 1, 256 * KIB, 256 * KIB + 1, 3 * MIB]) {
    const bytes = randomBytes(size)
    const made = await corvus.call('POST', PATH, { data: { data: bytes.toString('base64'), filename: 'a.bin' } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { data } = made.body
    assert.ok((await download(data.id)).equals(bytes), `${size} bytes`)
    assert.equal(data.size, size)
    assert.deepEqual(data.hashes, {
      md5: digest('md5', bytes),
      sha1: digest('sha1', bytes),
      sha256: digest('sha256', bytes),
    })
    assert.equal((await blobs(bytes)).pieces, Math.ceil(size / (256 * KIB)))
  }
})

test('content can be replaced, and unused content is deleted', async () => {
  const [first, second, third] = [randomBytes(10), randomBytes(300 * KIB), randomBytes(20)]
  const { body } = await corvus.call('POST', PATH, { data: first.toString('base64') })
  const { id } = body.data
  const patched = await corvus.call('PATCH', `${PATH}/${id}`, { data: second.toString('base64') })
  assert.deepEqual([patched.status, patched.body.data.size], [200, 300 * KIB])
  assert.ok((await download(id)).equals(second))
  assert.deepEqual(await blobs(first), { blobs: 0, pieces: 0 })
  await corvus.call('PUT', PATH, { data: { id, data: third.toString('base64') } })
  assert.ok((await download(id)).equals(third))
  assert.deepEqual(await blobs(second), { blobs: 0, pieces: 0 })
})

test('the same content is stored once, and stays until its last attachment is deleted', async () => {
  const bytes = randomBytes(300 * KIB)
  const item = { data: bytes.toString('base64') }
  const { body } = await corvus.call('PUT', PATH, [item, item])
  const [first, second] = body.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await blobs(bytes), { blobs: 1, pieces: 2 })
  assert.equal((await corvus.call('DELETE', `${PATH}/${first}`)).status, 204)
  assert.ok((await download(second)).equals(bytes))
  assert.equal((await corvus.call('DELETE', PATH, [second])).status, 204)
  assert.deepEqual(await blobs(bytes), { blobs: 0, pieces: 0 })
})

test('uploads of the same content at the same time give one blob and no error', async () => {
  const bytes = randomBytes(600 * KIB)
  const item = { data: bytes.toString('base64') }
  const answers = await Promise.all(Array.from({ length: 12 }, () => corvus.call('POST', PATH, item)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.deepEqual(await blobs(bytes), { blobs: 1, pieces: 3 })
})

test('PUTs of the same id at the same time leave the content of one of them, and no other', async () => {
  const id = randomUUID()
  const contents = Array.from({ length: 8 }, () => randomBytes(50))
  const answers = await Promise.all(
    contents.map((bytes) => corvus.call('PUT', PATH, [{ id, data: bytes.toString('base64') }])),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 200, 200, 201])
  const counts = await Promise.all(contents.map(blobs))
  assert.equal(
    counts.reduce((sum, count) => sum + count.blobs, 0),
    1,
  )
})

test('content survives when its last attachment is deleted during another upload of it', async () => {
  const bytes = randomBytes(300 * KIB)
  const item = { data: bytes.toString('base64') }
  let { id } = (await corvus.call('POST', PATH, item)).body.data
  for (let round = 0; round < 15; round++) {
    const [gone, made] = await Promise.all([corvus.call('DELETE', `${PATH}/${id}`), corvus.call('POST', PATH, item)])
    assert.deepEqual([gone.status, made.status], [204, 201], JSON.stringify([gone.body, made.body]))
    id = made.body.data.id
    assert.ok((await download(id)).equals(bytes), `round ${round}`)
  }
})

test('a bulk delete with an unknown id deletes neither attachment nor content', async () => {
  const bytes = randomBytes(10)
  const { body } = await corvus.call('POST', PATH, { data: bytes.toString('base64') })
  assert.equal((await corvus.call('DELETE', PATH, [body.data.id, randomUUID()])).status, 404)
  assert.ok((await download(body.data.id)).equals(bytes))
})
