import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openVault } from './vault.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corvus-vault-'))
})
after(() => rm(folder, { recursive: true }))

test('concurrent first starts create one key, which only its owner can read', async () => {
  const dataFolder = join(folder, 'several')
  const vaults = await Promise.all(Array.from({ length: 8 }, () => openVault({ dataFolder })))
  const sealed = vaults[0]?.seal('secret') ?? ''
  for (const vault of vaults) assert.equal(vault.open(sealed), 'secret')
  assert.deepEqual(await readdir(dataFolder), ['secret.key'])
  assert.equal((await stat(join(dataFolder, 'secret.key'))).mode & 0o777, 0o600)
})

test('sealing the same text twice gives different results that reveal nothing of it', async () => {
  const vault = await openVault({ dataFolder: folder })
  const sealed = vault.seal('a secret')
  assert.notEqual(vault.seal('a secret'), sealed)
  assert.ok(!sealed.includes('secret'))
  assert.equal(vault.open(vault.seal('')), '')
})

test('a modified value, or one sealed with another key, cannot be opened', async () => {
  const vault = await openVault({ dataFolder: folder })
  const other = await openVault({ dataFolder: folder, secretKey: 'another key that is long enough to be one' })
  const sealed = vault.seal('a secret')
  assert.throws(() => other.open(sealed))
  assert.throws(() => vault.open(`${sealed.slice(0, -2)}AA`))
  assert.throws(() => vault.open('v2.AAAA'))
})

test('a key that is too short is rejected with a clear message', async () => {
  await writeFile(join(folder, 'secret.key'), 'short\n')
  await assert.rejects(openVault({ dataFolder: folder }), { name: 'StartError' })
})
