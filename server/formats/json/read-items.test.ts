import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyJson } from '../../../test/any-json.ts'
import { type Document, DocumentError, documentOf } from '../document.ts'
import { readItems } from './read-items.ts'

/** Returns the values of each list, and the remaining members. */
async function read(document: Document | string | Buffer, lists = ['objects', '']) {
  const items: Record<string, unknown[]> = {}
  let rest: unknown
  const source = typeof document === 'string' || Buffer.isBuffer(document) ? documentOf(document) : document
  for await (const found of readItems(source, lists)) {
    if ('rest' in found) rest = found.rest
    else {
      items[found.list] ??= []
      assert.equal(found.index, items[found.list]?.length)
      items[found.list]?.push(found.value)
    }
  }
  return { items, rest }
}

/** A document that arrives in chunks of a fixed size. */
const inPieces = (text: string, size: number): Document => {
  const bytes = Buffer.from(text)
  return {
    name: '',
    size: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    },
  }
}

const refused = (document: string | Buffer, reason: RegExp) =>
  assert.rejects(read(document), (error) => {
    assert.ok(error instanceof DocumentError, String(error))
    assert.match(error.message, reason)
    return true
  })

test('the items of the named lists come one by one, and the remaining members last', async () => {
  const text = '\uFEFF {"type": "bundle", "objects": [ {"a": [1, "}"]} , 2,\n"x]", null ], "other": {"objects": []} } '
  assert.deepEqual(await read(text), {
    items: { objects: [{ a: [1, '}'] }, 2, 'x]', null] },
    rest: { type: 'bundle', other: { objects: [] } },
  })
})

test('a document can itself be the list if allowed', async () => {
  assert.deepEqual(await read('[1, [2], {}]'), { items: { '': [1, [2], {}] }, rest: {} })
  await assert.rejects(read('[1]', ['objects']), /Line 1, byte 0: expected a JSON object/)
})

test('a member with the name of a list that is not a list belongs to the remaining members', async () => {
  assert.deepEqual(await read('{"objects": null}'), { items: {}, rest: { objects: null } })
})

test('every document is read like JSON.parse does, in chunks of any size', async () => {
  const value = fc.record({ objects: fc.array(anyJson(5)), type: anyJson(5) })
  await fc.assert(
    fc.asyncProperty(value, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 1), async (given, size, space) => {
      const text = JSON.stringify(given, null, space)
      if (text.includes('__proto__') || text.includes('\\u0000') || /\\ud[89a-f]/i.test(text)) return
      const { objects, ...rest } = JSON.parse(text)
      const found = await read(inPieces(text, size))
      assert.deepEqual(found, { items: objects.length === 0 ? {} : { objects }, rest })
    }),
  )
})

test('a document truncated anywhere is rejected', async () => {
  const text = '{"type": "bundle", "objects": [{"a": "b\\"c", "n": [1, true]}, 17], "x": 1.5}'
  for (let end = 1; end < text.length; end++) await refused(text.slice(0, end), /^Line 1, byte \d+: /)
  await refused('', /empty/)
  await refused(' \n', /empty/)
})

test('invalid JSON is rejected with its position', async () => {
  await refused('{"objects": [\n{"a": 1},\n{"b": tru}]}', /^Line 3, byte \d+: not JSON: /)
  await refused('{"objects": [1}', /^Line 1, byte 14: expected a comma or the end/)
  await refused('{"objects": [1,]}', /^Line 1, byte \d+: not JSON/)
  await refused('{"objects" 1}', /colon/)
  await refused('{objects: 1}', /member name/)
  await refused('{"a": 1} x', /byte 9: unexpected text after the end/)
  await refused('"text"', /expected a JSON object or list/)
  await refused('{"objects": ["a\nb"]}', /not JSON/)
  await refused('{"objects": [{"a": [1}]}]}', /not JSON/)
})

test('a duplicate member is rejected with its name and position, escaped or not', async () => {
  await refused('{"a": 1, "\\u0061": 2}', /byte 9: duplicate member "a"/)
  await refused('{"objects": [\n {"x": {"id": 1,\n "i\\u0064": "a:b"}}]}', /^Line 3, byte 32: duplicate member "id"/)
  await refused('{"objects": [], "objects": []}', /duplicate member "objects"/)
  assert.deepEqual((await read('{"objects": [{"a": {"a": ":"}}, {"a": 1}]}')).items.objects, [
    { a: { a: ':' } },
    { a: 1 },
  ])
})

test('other encodings are rejected by name, and so are bytes that are not UTF-8', async () => {
  await refused(Buffer.from('{"a": 1}', 'utf16le'), /UTF-16/)
  await refused(Buffer.from('\uFEFF{"a": 1}', 'utf16le'), /UTF-16/)
  await refused(Buffer.from('\uFEFF{"a": 1}', 'utf16le').swap16(), /UTF-16/)
  await refused(Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), /UTF-32/)
  await refused(Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b]), /UTF-32/)
  await refused(Buffer.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0]), /UTF-32/)
  await refused(Buffer.from('{"a": "\xe9"}', 'latin1'), /not valid UTF-8/)
})

test('NUL characters and lone surrogates are rejected', async () => {
  await refused('{"objects": ["a\\u0000b"]}', /NUL/)
  await refused('{"objects": [{"a\\u0000b": 1}]}', /NUL/)
  await refused('{"objects": ["a\0b"]}', /not JSON/)
  await refused('{"objects": ["\\uD83D"]}', /lone surrogate/)
  await refused('{"\\uDE00": 1}', /lone surrogate/)
  assert.deepEqual((await read('{"objects": ["\\uD83D\\uDE00"]}')).items.objects, ['😀'])
})

test('nesting is limited, and 100,000 levels do no harm', async () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  assert.equal((await read(`{"objects": [${deep(100)}]}`)).items.objects?.length, 1)
  await refused(`{"objects": [${deep(101)}]}`, /nested more than 100 levels deep/)
  await refused(`{"objects": [${'{"a":'.repeat(100_000)}`, /nested more than 100 levels deep/)
  await refused('['.repeat(100_000), /nested more than 100 levels deep/)
})

test('an item without an end is rejected before it fills the memory', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'a')
  const endless: Document = {
    name: '',
    size: 0,
    async *open() {
      yield Buffer.from('{"objects": ["')
      for (;;) yield chunk
    },
  }
  await assert.rejects(read(endless), /exceeds 33554432 bytes/)
})

test('a member called __proto__ is dropped', async () => {
  const { items, rest } = await read(
    '{"__proto__": {"a": 1}, "objects": [{"\\u005f_proto__": {"a": 1}, "b": {"__proto__": 2}}]}',
  )
  assert.deepEqual(items.objects, [{ b: {} }])
  assert.deepEqual(Object.keys(rest as object), [])
})
