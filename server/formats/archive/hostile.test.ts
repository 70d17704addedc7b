import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { leftovers, tarOf, unpacked, zipOf } from '../../../test/set-up/archives.ts'
import { DocumentError } from '../document.ts'

const MIB = 1024 * 1024

/** Asserts that an archive is rejected with a readable reason. */
async function refused(bytes: Buffer, format: 'zip' | 'gzip' | 'tar', reason: RegExp, limits = {}): Promise<void> {
  await assert.rejects(unpacked(bytes, format, { limits }), (error: Error) => {
    assert.ok(error instanceof DocumentError, String(error.stack))
    assert.match(error.message, reason)
    return true
  })
  assert.deepEqual(await leftovers(), [])
}

test('a name that leads outside the archive, to a device or nowhere is rejected', async () => {
  for (const [name, reason] of [
    ['../../etc/passwd', /must not lead outside the archive/],
    ['a/../../b', /must not lead outside the archive/],
    ['..\\..\\windows\\x', /must not lead outside the archive/],
    ['/etc/passwd', /must not be absolute/],
    ['C:\\x', /must not be absolute/],
    ['\\\\server\\share', /must not be absolute/],
    ['a/NUL.txt', /must not be a device name/],
    ['COM1', /must not be a device name/],
    ['a\tb', /must not contain control characters/],
  ] as const) {
    await refused(await zipOf([{ name, content: 'x' }]), 'zip', reason)
    await refused(tarOf([{ name, content: 'x' }]), 'tar', reason)
  }
})

test('links and devices are rejected', async () => {
  for (const type of ['SymbolicLink', 'Link'] as const) {
    await refused(tarOf([{ name: 'l', type, linkpath: '/etc/passwd' }]), 'tar', /^l: links are not allowed/)
  }
  await refused(
    tarOf([{ name: 'd', type: 'CharacterDevice' }]),
    'tar',
    /^d: entries of type CharacterDevice are not allowed/,
  )
  const link = { name: 'l', content: '/etc/passwd', options: { unixMode: 0o120777, versionMadeBy: 0x031e } }
  await refused(await zipOf([link]), 'zip', /^l: links are not allowed/)
})

test('duplicate names are rejected', async () => {
  const files = [
    { name: 'a/b', content: 'one' },
    { name: 'a//b', content: 'two' },
  ]
  await refused(await zipOf(files), 'zip', /^a\/b: occurs twice in the archive/)
  await refused(tarOf(files), 'tar', /^a\/b: occurs twice in the archive/)
})

test('a zip bomb is stopped at once, wherever it is', async () => {
  const zeros = Buffer.alloc(40 * MIB)
  const gzip = gzipSync(zeros)
  const zip = await zipOf([{ name: 'zeros', content: zeros }])
  const reason = /unpacks to more than 100 times its packed size/
  await refused(gzip, 'gzip', reason)
  await refused(zip, 'zip', /^zeros: unpacks to more than 100 times/)
  await refused(await zipOf([{ name: 'inner.zip', content: zip }]), 'zip', /^inner\.zip\/zeros: unpacks to/)
  await refused(gzipSync(gzip), 'gzip', reason)
})

test('the limits apply to each entry and to all entries together', async () => {
  const files = Array.from({ length: 30 }, (_, i) => ({ name: `${i}`, content: randomBytes(100_000) }))
  await refused(await zipOf(files), 'zip', /^10: unpacks to more than 1050000 bytes including/, {
    totalBytes: 1_050_000,
  })
  await refused(tarOf(files), 'tar', /^10: unpacks to more than 1050000 bytes including/, { totalBytes: 1_050_000 })
  await refused(tarOf(files), 'tar', /^0: unpacks to more than 99999 bytes/, { entryBytes: 99_999 })
  await refused(tarOf(files), 'tar', /^29: the archive has more than 29 entries/, { entries: 29 })
})

test('endlessly nested archives are rejected', async () => {
  let nested: Buffer = await zipOf([{ name: 'x', content: 'x' }])
  for (let depth = 0; depth < 4; depth++) nested = await zipOf([{ name: 'n.zip', content: nested }])
  await refused(nested, 'zip', /^n\.zip\/n\.zip\/n\.zip\/n\.zip: archives are nested more than 4 levels deep/)
})

/** An archive whose second entry points to the bytes of the first. */
async function overlapping(): Promise<Buffer> {
  const zip = await zipOf([
    { name: 'aa', content: randomBytes(1000) },
    { name: 'bb', content: randomBytes(1000) },
  ])
  const directory = zip.lastIndexOf(Buffer.from('504b0102', 'hex'))
  zip.writeUInt32LE(0, directory + 42)
  return zip
}

test('entries that share bytes and false sizes are rejected', async () => {
  await refused(await overlapping(), 'zip', /overlap|ambiguous|damaged/)
  const zip = await zipOf([{ name: 'lie', content: 'x'.repeat(1000) }])
  const directory = zip.lastIndexOf(Buffer.from('504b0102', 'hex'))
  const larger = Buffer.from(zip)
  larger.writeUInt32LE(10, directory + 24)
  await refused(larger, 'zip', /lie/)
  const huge = Buffer.from(zip)
  huge.writeUInt32LE(0xffffffff, directory + 24)
  huge.writeUInt32LE(0xffffffff, directory + 20)
  await refused(huge, 'zip', /zip|lie/)
})

test('damaged and truncated archives are rejected, wherever the damage is', async () => {
  const zip = await zipOf([{ name: 'x', content: randomBytes(3000) }])
  const tar = tarOf([{ name: 'x', content: randomBytes(3000) }])
  const gzip = gzipSync(randomBytes(3000))
  for (const share of [0.1, 0.5, 0.9, 0.99]) {
    const cut = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share))
    await refused(cut(zip), 'zip', /./)
    await refused(cut(gzip), 'gzip', /truncated|damaged/)
    if (share < 0.8) await refused(cut(tar), 'tar', /damaged/)
  }
  const flipped = Buffer.from(zip)
  flipped.writeUInt8(flipped.readUInt8(1000) ^ 0xff, 1000)
  await refused(flipped, 'zip', /^x: is damaged/)
  const broken = Buffer.from(gzip)
  broken.writeUInt8(broken.readUInt8(1000) ^ 0xff, 1000)
  await refused(broken, 'gzip', /damaged/)
  await refused(tarOf([{ name: 'x', content: 'x', size: 1_000_000 }], false), 'tar', /damaged/)
  await refused(Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(1000)]), 'zip', /zip archive/)
})

test('an archive without files is rejected', async () => {
  await refused(await zipOf([]), 'zip', /contains no files/)
  await refused(await zipOf([{ name: '__MACOSX/x', content: 'x' }]), 'zip', /contains no files/)
})

test('archives with random damage are read or rejected with a reason, and never hang', async () => {
  const files = [
    { name: 'a.txt', content: 'some text '.repeat(300) },
    { name: 'b/c.bin', content: randomBytes(2000) },
  ]
  const archives = [
    ['zip', await zipOf(files)],
    ['zip', await zipOf(files, { password: 'infected' })],
    ['tar', tarOf(files)],
    ['gzip', gzipSync(tarOf(files))],
  ] as const
  const faults = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...archives),
      faults,
      fc.integer({ min: 1, max: 100 }),
      async (given, at, share) => {
        const [format, whole] = given
        const bytes = Buffer.from(whole.subarray(0, share > 50 ? whole.length : Math.ceil((whole.length * share) / 50)))
        for (const [place, value] of at) bytes[place % bytes.length] = value
        await unpacked(bytes, format, { password: 'infected' }).catch((error) => {
          assert.ok(error instanceof DocumentError, String(error.stack))
        })
      },
    ),
    { numRuns: 200 },
  )
  assert.deepEqual(await leftovers(), [])
})
