import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startS3 } from '../../test/s3.ts'
import { BlobMissing, type Blobs, TooLarge } from './blobs.ts'
import { openFolder } from './blobs-folder.ts'
import { openS3 } from './blobs-s3.ts'

let folder: string
let s3: Awaited<ReturnType<typeof startS3>>
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corvus-blobs-'))
  s3 = await startS3()
})
after(async () => {
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

async function* inPieces(bytes: Buffer, size = 65_536): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const whole = async (content: AsyncIterable<Buffer>) => {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

const digest = (name: string, bytes: Buffer) => createHash(name).update(bytes).digest('hex')

async function put(blobs: Blobs, bytes: Buffer): Promise<string> {
  await using draft = await blobs.receive(inPieces(bytes))
  await draft.keep()
  return draft.sha256
}

const incoming = (place: string) => readdir(join(folder, place, 'incoming')).catch(() => [])

for (const place of ['folder', 's3']) {
  describe(`blobs in ${place === 'folder' ? 'a folder' : 'a bucket'}`, () => {
    let blobs: Blobs
    before(() => {
      const own = join(folder, place)
      blobs = place === 'folder' ? openFolder(own) : openS3(s3.place, own)
    })

    test('a kept blob can be read by its hash, in full and in part', async () => {
      for (const size of [0, 1, 65_536, 3_000_001]) {
        const bytes = randomBytes(size)
        await using draft = await blobs.receive(inPieces(bytes))
        const { size: counted, sha256, sha1, md5 } = draft
        assert.deepEqual([counted, sha256], [size, digest('sha256', bytes)])
        assert.deepEqual([sha1, md5], [digest('sha1', bytes), digest('md5', bytes)])
        assert.equal(await blobs.exists(sha256), false)
        await draft.keep()
        assert.equal(await blobs.exists(sha256), true)
        assert.ok((await whole(blobs.open(sha256))).equals(bytes), `${size} bytes`)
        const part = await whole(blobs.open(sha256, { start: 1, end: Math.min(size, 70_000) }))
        assert.ok(part.equals(bytes.subarray(1, 70_000)), `a part of ${size} bytes`)
      }
      assert.deepEqual(await incoming(place), [])
    })

    test('a draft that is discarded, interrupted or too large leaves nothing behind', async () => {
      const bytes = randomBytes(200_000)
      await using draft = await blobs.receive(inPieces(bytes))
      assert.equal((await incoming(place)).length, 1)
      await draft[Symbol.asyncDispose]()
      assert.equal(await blobs.exists(draft.sha256), false)
      const broken = async function* () {
        yield bytes
        throw new Error('connection lost')
      }
      await assert.rejects(blobs.receive(broken()), /connection lost/)
      await assert.rejects(blobs.receive(inPieces(bytes), 199_999), TooLarge)
      assert.deepEqual(await incoming(place), [])
    })

    test('concurrent uploads of the same content become one blob, and one removal deletes it', async () => {
      const bytes = randomBytes(500_000)
      const keys = await Promise.all(Array.from({ length: 8 }, () => put(blobs, bytes)))
      assert.equal(new Set(keys).size, 1)
      const [key = ''] = keys
      assert.ok((await whole(blobs.open(key))).equals(bytes))
      await blobs.remove(key)
      await blobs.remove(key)
      assert.equal(await blobs.exists(key), false)
      await assert.rejects(whole(blobs.open(key)), BlobMissing)
      await assert.rejects(whole(blobs.open(key, { start: 0, end: 10 })), BlobMissing)
    })

    test('a spooled file has no name on disk and can be read repeatedly', async () => {
      const bytes = randomBytes(300_000)
      await using spooled = await blobs.spool(inPieces(bytes))
      assert.deepEqual(await incoming(place), [])
      const twice = await Promise.all([whole(spooled.open()), whole(spooled.open())])
      assert.ok(twice.every((read) => read.equals(bytes)))
      assert.ok((await spooled.read(299_000, 5000)).equals(bytes.subarray(299_000)))
    })

    test('a scratch file has no name on disk and returns what was added', async () => {
      using scratch = blobs.scratch()
      const bytes = randomBytes(300_000)
      scratch.append(bytes.subarray(0, 100_000))
      assert.ok(scratch.read(10, 99_990).equals(bytes.subarray(10, 100_000)))
      scratch.append(bytes.subarray(100_000))
      assert.ok(scratch.read(99_999, 200_001).equals(bytes.subarray(99_999)))
      assert.equal(scratch.read(299_999, 2).length, 1)
      assert.deepEqual(await incoming(place), [])
    })

    test('drafts of ended processes are removed, those of running ones are kept', async () => {
      const old = join(folder, place, 'incoming', 'old')
      await mkdir(join(folder, place, 'incoming'), { recursive: true })
      await writeFile(old, 'half')
      await utimes(old, new Date('2020-01-01'), new Date('2020-01-01'))
      await using _draft = await blobs.receive(inPieces(randomBytes(10)))
      assert.equal(await blobs.tidy(), 1)
      assert.equal((await incoming(place)).length, 1)
    })

    test('an invalid key never becomes a path', async () => {
      for (const key of ['../../etc/passwd', '', 'a'.repeat(63), `${'a'.repeat(63)}/`]) {
        await assert.rejects(async () => whole(blobs.open(key)), TypeError)
        await assert.rejects(async () => blobs.remove(key), TypeError)
      }
    })

    test('a working store passes the check', () => blobs.check())
  })
}

test('a broken store fails the check', async () => {
  const file = join(folder, 'no-folder')
  await writeFile(file, '')
  await assert.rejects(openFolder(file).check())
  await assert.rejects(openS3({ ...s3.place, bucket: 'absent-bucket' }, folder).check(), /absent-bucket/)
  await assert.rejects(openS3({ ...s3.place, endpoint: 'http://127.0.0.1:1' }, folder).check())
  const bytes = randomBytes(10)
  await assert.rejects(put(openS3({ ...s3.place, secretAccessKey: 'wrong' }, join(folder, 'wrong')), bytes))
  assert.deepEqual(await incoming('wrong'), [])
})
