import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { root } from '../server/config.ts'
import { startApp } from '../test/app.ts'
import { createDatabase } from '../test/database.ts'
import { startS3 } from '../test/s3.ts'
import { base64, corvus, digest, post, stored } from '../test/set-up/files.ts'

let s3: Awaited<ReturnType<typeof startS3>>
before(async () => {
  s3 = await startS3()
})
after(() => s3.stop())

const s3Environment = () => ({
  CORVUS_S3_ENDPOINT: s3.place.endpoint,
  CORVUS_S3_BUCKET: s3.place.bucket,
  CORVUS_S3_ACCESS_KEY_ID: s3.place.accessKeyId,
  CORVUS_S3_SECRET_ACCESS_KEY: s3.place.secretAccessKey,
})

async function run(args: readonly string[], environment: Record<string, string>) {
  const env = { ...process.env, CORVUS_PORT: '1', ...environment }
  const child = spawn(process.execPath, [join(root, 'cli/corvus.ts'), '--json', ...args], { env })
  child.stdin.end()
  const [out, error, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { out, error, code }
}

const own = () => ({ DATABASE_URL: corvus.url, CORVUS_DATA: corvus.config.dataFolder })

test('a backup contains file contents, which are restored before anything refers to them', async () => {
  const bytes = randomBytes(700_000)
  const { id } = await post({ name: 'kept.bin', data: base64(bytes), process: false })
  const file = join(corvus.config.dataFolder, 'backup.zip')
  const made = await run(['backup', file], own())
  assert.equal(made.code, 0, made.error)
  assert.equal(JSON.parse(made.out).files, 1)
  const other = await createDatabase()
  const target = { DATABASE_URL: other.url, CORVUS_DATA: join(corvus.config.dataFolder, 'other') }
  const restored = await run(['restore', file, '--replace'], target)
  assert.equal(restored.code, 0, restored.error)
  const key = digest('sha256', bytes)
  const path = join(target.CORVUS_DATA, 'blobs', key.slice(0, 2), key.slice(2, 4), key)
  assert.ok((await readFile(path)).equals(bytes))
  assert.equal((await other.pool.query('select sha256 from files where id = $1', [id])).rows[0].sha256, key)
  await other.drop()
})

test('missing contents are reported, and those of a replaced installation are removed', async () => {
  const [key = ''] = (await stored()).filter((name) => !name.startsWith('incoming'))
  await rm(join(corvus.config.dataFolder, 'blobs', key))
  const file = join(corvus.config.dataFolder, 'missing.zip')
  const made = await run(['backup', file], own())
  assert.deepEqual([JSON.parse(made.out).files, JSON.parse(made.out).missing_files], [0, 1])
  const stray = await startApp()
  await stray.call('POST', 'files', { name: 'stray', data: base64('stray'), process: false })
  await stray.app.close()
  await stray.pool.end().catch(() => {})
  const target = { DATABASE_URL: stray.url, CORVUS_DATA: stray.config.dataFolder }
  const restored = await run(['restore', file, '--replace'], target)
  assert.equal(restored.code, 0, restored.error)
  const name = digest('sha256', 'stray')
  const left = join(target.CORVUS_DATA, 'blobs', name.slice(0, 2), name.slice(2, 4), name)
  await assert.rejects(readFile(left), { code: 'ENOENT' })
  await rm(target.CORVUS_DATA, { recursive: true, force: true })
})

test('contents in a bucket stay there: the backup names the bucket and is refused if it is not configured', async () => {
  const remote = await startApp(undefined, { environment: s3Environment() })
  const made = await remote.call('POST', 'files', { name: 'x', data: base64('in the bucket'), process: false })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const content = await remote.call('GET', `files/${made.body.data.id}/download`)
  assert.equal(content.body, 'in the bucket')
  const file = join(corvus.config.dataFolder, 'bucket.zip')
  const environment = { DATABASE_URL: remote.url, CORVUS_DATA: remote.config.dataFolder, ...s3Environment() }
  const backedUp = await run(['backup', file], environment)
  assert.equal(JSON.parse(backedUp.out).files, `in the bucket ${s3.place.bucket} of ${s3.place.endpoint}`)
  const other = await createDatabase()
  const target = { DATABASE_URL: other.url, CORVUS_DATA: join(corvus.config.dataFolder, 'bucket') }
  const refused = await run(['restore', file, '--replace'], target)
  assert.equal(refused.code, 1)
  assert.match(refused.error, /does not contain the file contents, which are in the bucket/)
  const restored = await run(['restore', file, '--replace'], { ...target, ...s3Environment() })
  assert.equal(restored.code, 0, restored.error)
  await other.drop()
  await remote.stop()
})
