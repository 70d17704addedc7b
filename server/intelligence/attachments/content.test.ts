import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dispositionOf, filename } from '../../http/filename.ts'
import { mediaTypeOf, servedTypeOf } from '../../http/media-type.ts'
import { namesTag, readRange } from '../../http/range.ts'
import { content, MAX_ATTACHMENT_BYTES } from './content.ts'

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))

test('everything that is encoded as base64 is decoded again', () => {
  fc.assert(
    fc.property(bytes, fc.constantFrom('base64', 'base64url'), (sent, form) => {
      const lines = sent.toString(form as 'base64').replaceAll(/(.{7})/g, '$1\r\n')
      assert.ok(content.parse(lines).bytes.equals(sent))
    }),
  )
})

test('accepted base64 encodes back to the same digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (text) => {
      const parsed = content.safeParse(text)
      if (!parsed.success) return
      const plain = (value: string) => value.replaceAll(/[\s=]/g, '').replaceAll('-', '+').replaceAll('_', '/')
      const again = plain(parsed.data.bytes.toString('base64'))
      // The last digit may have unused bits.
      assert.equal(again.slice(0, -1), plain(text).slice(0, -1))
      assert.equal(again.length, plain(text).length)
    }),
    { numRuns: 2000 },
  )
  assert.equal(content.safeParse('\u0159\u0151==').success, false, 'letters are not cut down to a byte')
})

test('content of exactly 40 MiB is accepted, and one byte more is not', () => {
  const most = Buffer.alloc(MAX_ATTACHMENT_BYTES + 1)
  assert.equal(content.parse(most.toString('base64', 1)).bytes.length, MAX_ATTACHMENT_BYTES)
  assert.throws(() => content.parse(most.toString('base64')), { status: 413 })
})

test('the media type is detected from the content, and only harmless types are served as such', () => {
  const start = (hexadecimal: string) => Buffer.concat([Buffer.from(hexadecimal, 'hex'), Buffer.alloc(20)])
  const unknown = 'application/octet-stream'
  for (const [sent, type, served] of [
    [start('89504e470d0a1a0a'), 'image/png', 'image/png'],
    [start('ffd8ffe0'), 'image/jpeg', 'image/jpeg'],
    [Buffer.from('GIF89a....'), 'image/gif', 'image/gif'],
    [Buffer.from('RIFF....WEBPVP8 '), 'image/webp', 'image/webp'],
    [Buffer.from('%PDF-1.7'), 'application/pdf', unknown],
    [start('504b0304'), 'application/zip', unknown],
    [start('1f8b08'), 'application/gzip', unknown],
    [Buffer.from('Grüße\n'), 'text/plain', 'text/plain; charset=utf-8'],
    [Buffer.from('<!doctype html><script>alert(1)</script>'), 'text/plain', 'text/plain; charset=utf-8'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'text/plain', 'text/plain; charset=utf-8'],
    [Buffer.from('Grüße', 'latin1'), unknown, unknown],
    [start('4d5a'), unknown, unknown],
    [Buffer.alloc(0), unknown, unknown],
  ] as const) {
    assert.equal(mediaTypeOf(sent), type)
    assert.equal(servedTypeOf(type), served)
  }
})

test('no file name can end its header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const name = filename.parse(text)
      const header = dispositionOf(name)
      assert.match(header, /^attachment; filename="[A-Za-z0-9._ -]*"; filename\*=UTF-8''[A-Za-z0-9._~!%-]*$/)
      assert.equal(decodeURIComponent(header.split("''")[1] ?? ''), name)
    }),
    { numRuns: 2000 },
  )
})

test('a range selects one part of the content, nothing, or everything', () => {
  for (const [header, part] of [
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=3-', { start: 3, end: 10 }],
    ['bytes=3-99', { start: 3, end: 10 }],
    ['bytes=-4', { start: 6, end: 10 }],
    ['bytes=-99', { start: 0, end: 10 }],
    ['bytes=10-', null],
    [`bytes=${'9'.repeat(400)}-`, null],
    ['bytes=-0', null],
    ['bytes=5-4', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['items=0-1', undefined],
    ['bytes=a-b', undefined],
    [undefined, undefined],
  ] as const) {
    assert.deepEqual(readRange(header, 10), part, header)
  }
  assert.equal(readRange('bytes=0-', 0), null)
  assert.equal(readRange('bytes=-1', 0), null)
})

test('an entity tag is found in a list, weak or strong', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '*']) assert.ok(namesTag(header, '"a"'), header)
  for (const header of [undefined, '', 'a', '"b"', '"b", W/"c"']) assert.ok(!namesTag(header, '"a"'), header)
})
