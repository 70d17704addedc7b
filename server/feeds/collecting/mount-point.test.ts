import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { type Collected, startCollecting } from '../../../test/set-up/collecting.ts'
import { fitsPattern } from '../../domain/name-pattern.ts'

const { collect, stop } = startCollecting()
const root = realpathSync(mkdtempSync(join(tmpdir(), 'corvus-folder-')))
const allowed = join(root, 'allowed')
const path = join(allowed, 'feed')
const folders = [allowed]

function write(name: string, text: string, secondsAgo = 60): string {
  const file = join(path, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const time = Date.now() / 1000 - secondsAgo
  utimesSync(file, time, time)
  return file
}

const read = (given = {}, run = {}) => collect('mount-point-download', { path, ...given }, { folders, ...run })
const contents = (pieces: readonly Collected[]) => pieces.map(({ name, text }) => [name, text])

beforeEach(() => {
  rmSync(allowed, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
})

after(async () => {
  await stop()
  rmSync(root, { recursive: true })
})

test('files are read once, oldest first, and again when they have changed', async () => {
  write('b.txt', 'one', 90)
  write('a.txt', 'two', 80)
  write('empty', '', 70)
  const first = await read()
  assert.deepEqual(contents(first.pieces), [
    ['b.txt', 'one'],
    ['a.txt', 'two'],
    ['empty', ''],
  ])
  assert.deepEqual((await read({}, { cursor: first.cursor })).pieces, [])
  write('b.txt', 'more', 50)
  const second = await read({}, { cursor: first.cursor })
  assert.deepEqual(contents(second.pieces), [['b.txt', 'more']])
})

test('only files that match the pattern are read, and subfolders only if configured', async () => {
  write('a.json', '1')
  write('a.json.tmp', '2')
  write('deep/er/b.json', '3', 30)
  assert.deepEqual(contents((await read({ pattern: '*.json' })).pieces), [['a.json', '1']])
  assert.deepEqual(contents((await read({ pattern: '*.json', is_recursive: true })).pieces), [
    ['a.json', '1'],
    ['deep/er/b.json', '3'],
  ])
})

test('a file is deleted after it was stored, unless another one has replaced it', async () => {
  const taken = write('a', '1', 90)
  const next = write('b', '2', 80)
  const { pieces, cursor } = await read({ after: 'delete' }, { breaksAfter: 1 })
  assert.equal(pieces.length, 1)
  assert.deepEqual([existsSync(taken), existsSync(next)], [false, true])
  const replace = () => void write('b', '3', 70)
  assert.deepEqual(contents((await read({ after: 'delete' }, { cursor, meanwhile: replace })).pieces), [['b', '2']])
  assert.equal(existsSync(next), true)
})

test('a file that is still being written is left for a later run', async () => {
  write('old', 'x')
  const growing = write('growing', 'x', 0)
  write('fresh', 'x', 0)
  const timer = setInterval(() => writeFileSync(growing, 'y', { flag: 'a' }), 100)
  const { pieces, cursor } = await read()
  clearInterval(timer)
  assert.deepEqual(pieces.map(({ name }) => name).sort(), ['fresh', 'old'])
  const time = Date.now() / 1000 - 60
  utimesSync(growing, time, time)
  assert.deepEqual(
    (await read({}, { cursor })).pieces.map(({ name }) => name),
    ['growing'],
  )
})

test('nothing outside of the allowed folders is read, even through links', async () => {
  const secret = join(root, 'secret')
  writeFileSync(secret, 'hunter2')
  mkdirSync(join(root, 'secrets'), { recursive: true })
  writeFileSync(join(root, 'secrets', 'x'), 'hunter2')
  mkdirSync(join(root, 'allowed-too'), { recursive: true })
  symlinkSync(secret, join(path, 'link'))
  symlinkSync(join(root, 'secrets'), join(path, 'folder'))
  symlinkSync(join(path, 'nothing'), join(path, 'dangling'))
  symlinkSync('.', join(path, 'circle'))
  execFileSync('mkfifo', [join(path, 'pipe')])
  write('own', 'fine')
  symlinkSync(join(path, 'own'), join(path, 'inside'))
  const { pieces, log } = await read({ is_recursive: true })
  assert.deepEqual(
    pieces.map(({ text }) => text),
    ['fine', 'fine'],
  )
  assert.deepEqual(
    log.sort(),
    ['folder', 'link'].map((name) => `${name} links outside of the allowed folders and was skipped.`),
  )
  symlinkSync(join(root, 'secrets'), join(allowed, 'out'))
  for (const outside of [root, '/', '/etc', join(root, 'allowed-too'), join(root, 'no'), join(allowed, 'out')]) {
    await assert.rejects(read({ path: outside }), { kind: 'configuration' }, outside)
  }
  await assert.rejects(read({ path: join(allowed, 'missing') }), { kind: 'not-found' })
  await assert.rejects(read({}, { folders: [] }), { kind: 'configuration', message: /CORVUS_FEED_FOLDERS/ })
})

test('a link is deleted instead of its target', async () => {
  const own = write('own', 'x')
  mkdirSync(join(allowed, 'links'))
  symlinkSync(own, join(allowed, 'links', 'link'))
  assert.equal((await read({ path: join(allowed, 'links'), after: 'delete' })).pieces.length, 1)
  assert.deepEqual([existsSync(own), existsSync(join(allowed, 'links', 'link'))], [true, false])
})

test('a file that is too large is skipped and logged', async () => {
  write('large', 'x'.repeat(100))
  write('small', 'x')
  const { pieces, log } = await read({}, { maxPieceBytes: 50 })
  assert.deepEqual([pieces.length, log], [1, ['large is larger than 50 bytes and was skipped.']])
})

test('a pattern matches the same names as the equivalent regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (name, pattern) => {
      const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'))
      assert.equal(fitsPattern(name, pattern), new RegExp(`^${parts.join('.*')}$`).test(name))
    }),
  )
  assert.equal(fitsPattern(`${'a'.repeat(100_000)}b`, '*a*a*a*a*a*c'), false)
})
