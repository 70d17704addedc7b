import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { carryingOf, parcelOf } from '../../../test/set-up/parcels.ts'
import { TransportError } from '../collecting/collector.ts'
import { OUTGOING_TRANSPORTS } from '../transports/transports.ts'
import type { Parcel } from './carrier.ts'
import { writeIntoFolder } from './mount-point-upload.ts'

const SIGNATURE = '-----BEGIN PGP SIGNATURE-----\n'
const NAME = '0000000007-bad addresses "é".csv'

const top = await realpath(await mkdtemp(join(tmpdir(), 'corvus-folder-')))
after(() => rm(top, { recursive: true, force: true }))

const root = join(top, 'allowed')
const outside = join(top, 'outside')
const path = join(root, 'feed')
beforeEach(async () => {
  for (const folder of [root, outside]) await rm(folder, { recursive: true, force: true })
  for (const folder of [path, outside]) await mkdir(folder, { recursive: true })
})

const bring = (parcel: Parcel, rest: object = {}, folders = [root], signal = new AbortController().signal) =>
  writeIntoFolder(
    parcel,
    carryingOf(
      OUTGOING_TRANSPORTS['eiq.outgoing-transports.mount-point-upload'].configuration.parse({ path, ...rest }),
      { folders, signal },
    ),
  )

const contentOf = (name: string) => readFile(join(path, name), 'utf8')

const isFault = (kind: string, reason: RegExp) => (error: unknown) =>
  error instanceof TransportError && error.kind === kind && reason.test(error.message) && !error.message.includes(top)

test('each block becomes a file, in the order of their names, with its signature next to it', async () => {
  await bring(parcelOf('one'))
  await bring(parcelOf('two', { id: 12, signature: SIGNATURE }))
  await bring(parcelOf('one'))
  const second = NAME.replace('7', '12').replace('000', '00')
  assert.deepEqual((await readdir(path)).sort(), [NAME, second, `${second}.asc`])
  assert.deepEqual([await contentOf(NAME), await contentOf(second)], ['one', 'two'])
  assert.equal(await contentOf(`${second}.asc`), SIGNATURE)
})

test('a file with a fixed name is replaced, and a signature that is no longer created is removed', async () => {
  await bring(parcelOf('one', { signature: SIGNATURE }), { filename: 'list.csv' })
  assert.deepEqual((await readdir(path)).sort(), ['list.csv', 'list.csv.asc'])
  await bring(parcelOf('two'), { filename: 'list.csv' })
  assert.deepEqual(await readdir(path), ['list.csv'])
  assert.equal(await contentOf('list.csv'), 'two')
})

test('while a block is written, readers see the earlier file, which also stays if writing fails', async () => {
  await bring(parcelOf('one'), { filename: 'list.csv' })
  const seen: string[] = []
  const open = async function* () {
    yield Buffer.from('half of')
    seen.push(await contentOf('list.csv'))
    throw new Error('broken')
  }
  await assert.rejects(bring(parcelOf('half of it', { open }), { filename: 'list.csv' }), /broken/)
  assert.deepEqual([seen, await readdir(path), await contentOf('list.csv')], [['one'], ['list.csv'], 'one'])
  const short = async function* () {
    yield Buffer.from('half of')
  }
  await assert.rejects(bring(parcelOf('half of it', { open: short }), { filename: 'list.csv' }), /Wrote 7 bytes of 10/)
  const stopped = AbortSignal.abort(new Error('stopped'))
  await assert.rejects(bring(parcelOf('two'), { filename: 'list.csv' }, [root], stopped))
  assert.deepEqual([await readdir(path), await contentOf('list.csv')], [['list.csv'], 'one'])
})

test('the next attempt removes the files of a killed one, and nothing else', async () => {
  for (const name of ['.corvus-3-7-abc.part', '.corvus-3-8-abc.part', 'mine']) await writeFile(join(path, name), 'rest')
  await bring(parcelOf('one', { attempt: 2 }))
  assert.deepEqual((await readdir(path)).sort(), ['.corvus-3-8-abc.part', NAME, 'mine'])
})

test('folders that are not allowed are refused, even through links', async () => {
  await symlink(outside, join(root, 'link'))
  await mkdir(join(top, 'allowed-not'))
  const isRefused = isFault('configuration', /outside of those that CORVUS_FEED_FOLDERS allows/)
  for (const refused of [outside, '/', '/etc', join(root, 'link'), join(top, 'allowed-not'), top])
    await assert.rejects(bring(parcelOf('one'), { path: refused }), isRefused, refused)
  await assert.rejects(bring(parcelOf('one'), {}, []), isFault('configuration', /allows no folder/))
  await assert.rejects(bring(parcelOf('one'), { path: join(root, 'gone') }), isFault('not-found', /does not exist/))
  assert.deepEqual(await readdir(outside), [])
})

test('a link with the name of the file is replaced, and its target stays unchanged', async () => {
  const target = join(outside, 'passwords')
  await writeFile(target, 'secret')
  for (const name of ['list.csv', 'list.csv.asc']) await symlink(target, join(path, name))
  await bring(parcelOf('one', { signature: SIGNATURE }), { filename: 'list.csv' })
  assert.equal(await readFile(target, 'utf8'), 'secret')
  assert.ok(!(await lstat(join(path, 'list.csv'))).isSymbolicLink())
  assert.deepEqual([await contentOf('list.csv'), await contentOf('list.csv.asc')], ['one', SIGNATURE])
})

test('names with a path are reduced to their last segment, and invalid names are refused', async () => {
  await bring(parcelOf('one', { filename: '../../outside/x\n.csv' }))
  assert.deepEqual(await readdir(path), ['x.csv'])
  assert.deepEqual(await readdir(outside), [])
  for (const filename of ['..', '.', 'é'.repeat(130)])
    await assert.rejects(bring(parcelOf('one'), { filename }), isFault('configuration', /the file name is not valid/))
})

test('a folder with the name of the file, or one that is not writable, is an error that says so', async () => {
  await mkdir(join(path, 'list.csv'))
  await assert.rejects(
    bring(parcelOf('one'), { filename: 'list.csv' }),
    isFault('configuration', /a folder with the name/),
  )
  assert.deepEqual(await readdir(path), ['list.csv'])
  // The root user may write everywhere.
  if (process.getuid?.() === 0) return
  await chmod(path, 0o500)
  await assert.rejects(bring(parcelOf('one')), isFault('configuration', /is not writable/))
  await chmod(path, 0o700)
})
