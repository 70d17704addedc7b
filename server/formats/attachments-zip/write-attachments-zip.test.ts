import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { fromBuffer, type ZipFile } from 'yauzl'
import { shipmentOf, shippedAttachment, shippedEntity, writtenBy } from '../../../test/shipments.ts'
import type { ShippedEntity } from '../shipment.ts'
import { safeName, uniqueNames } from './safe-name.ts'
import { writeAttachmentsZip } from './write-attachments-zip.ts'
import { centralHeader, dosTime, endOfArchive, localHeader } from './zip-records.ts'

const open = promisify<Buffer, { lazyEntries: boolean }, ZipFile>(fromBuffer)

/** The files of an archive by path. */
async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await open(bytes, { lazyEntries: true })
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry)
    files.set(entry.fileName, Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString())
  }
  return files
}

const zipped = async (...entities: ShippedEntity[]) =>
  unzip((await writtenBy(writeAttachmentsZip, shipmentOf(entities))).bytes)

test('every attachment is in the folder of its entity, and the index describes it', async () => {
  const file = (name: string, text: string) => shippedAttachment(name, Buffer.from(text))
  const second = '00000000-0000-4000-8000-000000000000'
  const files = await zipped(
    shippedEntity({ attachments: [file('a.txt', 'one'), file('A.txt', 'two'), file('../../etc/passwd', 'three')] }),
    shippedEntity({ id: second, data: { id: 'x', type: 'report', title: '=1/2' }, attachments: [file('', 'four')] }),
    shippedEntity(),
  )
  const folder = 'Command server-5e814485-012d-423d-b769-026bfed0f451'
  assert.deepEqual([...files].slice(0, -1), [
    [`${folder}/a.txt`, 'one'],
    [`${folder}/A (2).txt`, 'two'],
    [`${folder}/_.._etc_passwd`, 'three'],
    [`=1_2-${second}/attachment`, 'four'],
  ])
  const [header, first, , , last] = files.get('attachments.csv')?.split('\r\n') ?? []
  assert.equal(header, 'path,filename,size,sha256,content_type,entity.id,entity.stix_id,entity.type,entity.title')
  assert.ok(first?.startsWith(`${folder}/a.txt,a.txt,3,e3b0c442`), first)
  assert.ok(last?.startsWith(`'=1_2-${second}/attachment,,4,`) && last.endsWith(`,${second},x,report,'=1/2`), last)
})

test('an empty archive contains only the index', async () => {
  assert.deepEqual([...(await zipped()).keys()], ['attachments.csv'])
})

test('a file that cannot be read fails the archive with that error', async () => {
  const broken = (size: number) => ({
    ...shippedAttachment('a.txt', Buffer.from('x')),
    size,
    async *open(): AsyncGenerator<Buffer> {
      yield Buffer.from('x')
      throw new Error('the disk is gone')
    },
  })
  for (const size of [1, 2 ** 21]) {
    await assert.rejects(zipped(shippedEntity({ attachments: [broken(size)] })), /the disk is gone/)
  }
})

test('a consumer that stops early leaves nothing open', async () => {
  let isClosed = false
  const endless = {
    ...shippedAttachment('a.bin', Buffer.alloc(0)),
    size: 2 ** 31,
    async *open(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.from(crypto.getRandomValues(new Uint8Array(65_536)))
      } finally {
        isClosed = true
      }
    },
  }
  for await (const piece of writeAttachmentsZip(shipmentOf([shippedEntity({ attachments: [endless] })]), () => {})) {
    if (piece.length > 1000) break
  }
  assert.ok(isClosed)
})

test('small and large files, compressed or not, survive a round trip', async () => {
  const contents = [
    Buffer.alloc(0),
    Buffer.from('a'.repeat(5000)),
    Buffer.alloc(3_000_000, 'abcdefg'),
    Buffer.from('ü'),
  ]
  const attachments = contents.flatMap((content, i) => {
    const open = async function* () {
      for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
    }
    const text = { ...shippedAttachment(`${i}.txt`, content), open }
    return [text, { ...text, filename: `${i}.png`, content_type: 'image/png' }]
  })
  const { bytes } = await writtenBy(writeAttachmentsZip, shipmentOf([shippedEntity({ attachments })]))
  const files = [...(await unzip(bytes)).values()].slice(0, -1)
  assert.deepEqual(
    files,
    contents.flatMap((content) => [content.toString(), content.toString()]),
  )
  assert.ok(bytes.length < 1_000_000, 'some of it is smaller')
})

test('an archive with more files than the older records can count is complete', async () => {
  const content = Buffer.from('x')
  const file = { isDeflated: false, isStreamed: false, checksum: 0x8cdc1683, packedSize: 1, size: 1, offset: 0 }
  const moment = dosTime(new Date('2024-01-29T07:42:07Z'))
  const first = Buffer.concat([localHeader({ ...file, path: Buffer.from('0') }, moment), content])
  const list = Array.from({ length: 65_600 }, (_, i) => centralHeader({ ...file, path: Buffer.from(`${i}`) }, moment))
  const listed = Buffer.concat(list)
  const end = endOfArchive(list.length, first.length, listed.length)
  const zip = await open(Buffer.concat([first, listed, end]), { lazyEntries: true })
  assert.equal(zip.entryCount, 65_600)
})

test('a file that is too large for an archive is reported', async () => {
  const huge = { ...shippedAttachment('huge.bin', Buffer.from('x')), size: 2 ** 32 }
  const { losses } = await writtenBy(writeAttachmentsZip, shipmentOf([shippedEntity({ attachments: [huge] })]))
  assert.match(losses.join(), /'huge.bin' is too large for a zip/)
})

test('every name is safe and unique', () => {
  const names = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a.txt', 'A.TXT', 'a (2).txt', '..', 'con', 'NUL.txt', '\u202Eexe.txt', 'x'.repeat(500)),
    ),
  )
  fc.assert(
    fc.property(names, (given) => {
      const unique = uniqueNames()
      const made = given.map((name) => unique(safeName(name, 'attachment')))
      for (const name of made) {
        assert.ok(name.length > 0 && name.length <= 140, name)
        assert.doesNotMatch(name, /[\p{Cc}\p{Bidi_Control}/\\:*?"<>|]|^\.|\.$|^(?:con|nul)(?:\.|$)/iu)
      }
      assert.equal(new Set(made.map((name) => name.toLowerCase())).size, made.length)
    }),
  )
})
