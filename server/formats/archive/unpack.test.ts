import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { leftovers, tarOf, unpacked, zipOf } from '../../../test/set-up/archives.ts'

const FILES = [
  { name: 'a.txt', content: 'first' },
  { name: 'folder/ü.json', content: '{"a": 1}' },
  { name: 'empty', content: '' },
]
const EXPECTED = FILES.map(({ name, content }) => [name, content])

test('zip, tar, gzip and tar.gz yield their files, each readable repeatedly', async () => {
  assert.deepEqual(await unpacked(await zipOf(FILES), 'zip'), EXPECTED)
  assert.deepEqual(await unpacked(tarOf(FILES), 'tar'), EXPECTED)
  assert.deepEqual(await unpacked(gzipSync('text'), 'gzip', { name: 'x.txt.gz' }), [['x.txt', 'text']])
  const names = EXPECTED.map(([name, content]) => [`x.tar/${name}`, content])
  assert.deepEqual(await unpacked(gzipSync(tarOf(FILES)), 'gzip', { name: 'x.tgz' }), names)
  assert.deepEqual(await leftovers(), [])
})

test('everything that is packed is unpacked', async () => {
  const files = fc.uniqueArray(
    fc.record({
      // Not a device name on any system.
      name: fc.stringMatching(/^x[a-z]{0,7}(\/x[a-z]{0,7}){0,2}\.txt$/),
      content: fc.string({ maxLength: 3000 }),
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(files, async (given) => {
      const expected = given.map(({ name, content }) => [name, Buffer.from(content).toString()])
      assert.deepEqual(await unpacked(await zipOf(given), 'zip'), expected)
      assert.deepEqual(await unpacked(tarOf(given), 'tar'), expected)
    }),
    { numRuns: 25 },
  )
})

test('nested archives are unpacked, with the path to each file in its name', async () => {
  const inner = await zipOf([{ name: 'deep.txt', content: 'deep' }])
  const outer = tarOf([
    { name: 'inner.zip', content: inner },
    { name: 'beside.txt', content: 'beside' },
  ])
  const names = [
    ['x.tar/inner.zip/deep.txt', 'deep'],
    ['x.tar/beside.txt', 'beside'],
  ]
  assert.deepEqual(await unpacked(gzipSync(outer), 'gzip', { name: 'x.tar.gz' }), names)
})

test('files added by operating systems and folders are skipped', async () => {
  const files = [
    { name: '__MACOSX/._a.txt', content: 'x' },
    { name: 'b/.DS_Store', content: 'x' },
    { name: 'b/Thumbs.db', content: 'x' },
    { name: './b/real.txt', content: 'real' },
  ]
  assert.deepEqual(await unpacked(await zipOf(files), 'zip'), [['b/real.txt', 'real']])
  const tar = tarOf([{ name: 'b/', type: 'Directory' }, ...files])
  assert.deepEqual(await unpacked(tar, 'tar'), [['b/real.txt', 'real']])
})

test('a password opens both kinds of encryption, and a wrong or missing one is reported', async () => {
  for (const zipCrypto of [true, false]) {
    const zip = await zipOf([{ name: 's.txt', content: 'secret' }], { password: 'infected', zipCrypto })
    assert.deepEqual(await unpacked(zip, 'zip', { password: 'infected' }), [['s.txt', 'secret']])
    await assert.rejects(unpacked(zip, 'zip'), /s\.txt: is encrypted, but no password was given/)
    await assert.rejects(unpacked(zip, 'zip', { password: 'wrong' }), /^DocumentError: s\.txt: .*password is wrong/)
  }
  const plain = await zipOf(FILES)
  assert.deepEqual(await unpacked(plain, 'zip', { password: 'not needed' }), EXPECTED)
})

test('stopping early releases all resources', async () => {
  for (const [bytes, format] of [
    [await zipOf(FILES), 'zip'],
    [tarOf(FILES), 'tar'],
    [gzipSync(tarOf(FILES)), 'gzip'],
  ] as const) {
    await assert.rejects(unpacked(bytes, format, { limits: { entries: 2 } }), /more than 2 entries/)
  }
  assert.deepEqual(await leftovers(), [])
})
