import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { memoryScratch } from '../scratch.ts'
import { idIndex } from './id-index.ts'
import { idLists } from './id-lists.ts'
import { placedTexts } from './placed-texts.ts'
import { spooledTexts } from './spooled-texts.ts'
import { textSpool } from './text-spool.ts'

const anyId = fc.oneof(
  fc.tuple(fc.constantFrom('file', 'url', 'x-own'), fc.uuid()).map(([type, uuid]) => `${type}--${uuid}`),
  fc.constantFrom('file--0000000A-0000-0000-0000-000000000000', 'file--', ''),
)
const uuidOf = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`

test('an index numbers ids in the order of insertion, and returns them by number', () => {
  fc.assert(
    fc.property(fc.array(anyId), (ids) => {
      const index = idIndex()
      const known: string[] = []
      for (const id of ids) {
        assert.equal(index.indexOf(id), known.indexOf(id))
        if (!known.includes(id)) known.push(id)
        assert.equal(index.add(id), known.indexOf(id))
      }
      assert.equal(index.size, known.length)
      assert.deepEqual(
        known.map((_, i) => index.idAt(i)),
        known,
      )
    }),
  )
})

test('ids that differ in only a few digits do not slow an index down', () => {
  // If all ids fell into the same slots, this would take minutes.
  const places = [0, 4, 9, 14, 19, 24, 32]
  for (const place of places) {
    const index = idIndex()
    const plain = '00000000-0000-4000-8000-000000000000'
    for (let n = 0; n < 65_536; n++) {
      const digits = n.toString(16).padStart(4, '0')
      index.add(`file--${plain.slice(0, place)}${digits}${plain.slice(place + 4)}`)
    }
    assert.equal(index.size, 65_536)
  }
})

test('a spool returns texts that are still in memory as well as texts on disk', () => {
  using spool = textSpool(memoryScratch)
  const texts = [
    ...Array.from({ length: 300 }, (_, i) => `${i} ü ${'x'.repeat(i * 40)}`),
    'y'.repeat(3_000_000),
    '',
    'z',
  ]
  const places = texts.map((text) => spool.write(text))
  for (const [i, text] of texts.entries()) assert.ok(spool.read(places[i] ?? 0) === text, String(i))
})

test('a map from ids to texts holds the last text of each id, and knows which ids have none', () => {
  const map = spooledTexts(textSpool(memoryScratch))
  for (let n = 0; n < 5000; n++) map.set(`url--${uuidOf(n)}`, `first ${n}`)
  for (let n = 0; n < 5000; n += 2) map.set(`url--${uuidOf(n)}`, `second ${n}`)
  map.index.add('file--')
  assert.deepEqual([map.has('file--'), map.get('file--'), map.get('url--')], [false, undefined, undefined])
  assert.deepEqual(
    [0, 1, 4998, 4999].map((n) => map.get(`url--${uuidOf(n)}`)),
    ['second 0', 'first 1', 'second 4998', 'first 4999'],
  )
})

test('lists of ids keep their order, and texts are found by position', () => {
  const lists = idLists(idIndex())
  for (const id of ['a', 'a', 'b', 'c']) for (const key of ['k', 'l']) lists.add(key, `${key}${id}`)
  assert.deepEqual([lists.of('k'), lists.of('l', 2), lists.of('m')], [['ka', 'kb', 'kc'], ['la', 'lb'], []])
  const placed = placedTexts(textSpool(memoryScratch))
  for (const place of [2, 5, 5, 9]) placed.set(place, `at ${place}`)
  assert.deepEqual(
    [0, 2, 3, 5, 9, 10].map((place) => placed.get(place)),
    [undefined, 'at 2', undefined, 'at 5', 'at 9', undefined],
  )
})
