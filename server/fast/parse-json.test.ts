import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../test/effort.ts'
import { InvalidJson, parseJson } from './parse-json.ts'

const LONG = 40_000

/** A list that is read in several parts. */
const list = fc
  .array(
    fc.oneof(
      fc.jsonValue({ noUnicodeString: false }),
      fc.integer({ min: 0, max: 3 }).map((n) => 'ü”,]}{["\\'.repeat(n * 2_000)),
      fc.constant('x'.repeat(LONG)),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((items) => [...items, 'y'.repeat(LONG), ...items])

const body = fc
  .tuple(list, fc.constantFrom('', ' ', '\n\t'), fc.constantFrom('list', 'data', 'data first', 'data twice', 'other'))
  .map(([items, space, form]) => {
    const text = JSON.stringify(items, null, space)
    if (form === 'list') return text
    if (form === 'other') return `{"items":${text}}`
    if (form === 'data') return `{${space}"data"${space}:${space}${text}${space}}`
    return form === 'data first' ? `{"data":${text},"is":[1,[2]]}` : `{"data":${text},"d\\u0061ta":[3]}`
  })

const readPlainly = (text: string): unknown =>
  JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value))

function outcome(read: (text: string) => unknown, text: string): unknown {
  try {
    return { read: read(text) }
  } catch (error) {
    return error instanceof InvalidJson || error instanceof SyntaxError ? 'refused' : error
  }
}

test('a body is read like JSON.parse reads it, in parts or as a whole', () => {
  fc.assert(
    fc.property(body, (text) => {
      assert.deepEqual(parseJson(text), readPlainly(text))
    }),
    { numRuns: effort(1_000, 60) },
  )
})

test('a body that is not valid JSON is refused', () => {
  const damages = fc.array(
    fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.constantFrom('', ',', '"', '[', ']', '{', '}', ' ', '\\', ', ,')),
    { minLength: 1, maxLength: 3 },
  )
  fc.assert(
    fc.property(body, damages, (text, changes) => {
      let damaged = text
      for (const [place, removed, added] of changes) {
        const at = place % (damaged.length + 1)
        damaged = damaged.slice(0, at) + added + damaged.slice(at + removed)
      }
      // Half of a surrogate pair is not valid UTF-8.
      damaged = damaged.toWellFormed()
      assert.deepEqual(outcome(parseJson, damaged), outcome(readPlainly, damaged))
    }),
    { numRuns: effort(2_000, 200) },
  )
})

test('a list with nothing between two commas is refused, at any distance between them', () => {
  const item = 'x'.repeat(LONG)
  const gap = ' '.repeat(LONG)
  for (const text of [`["${item}",${gap},1]`, `["${item}",${gap}]`, `[${gap},"${item}"]`, `["${item}","a",]`]) {
    assert.throws(() => parseJson(text), /^Error: The body is not valid JSON/)
  }
})

test('the key __proto__ is dropped in every part', () => {
  const items = [1, 2, 3].map(() => `{"a":"${'x'.repeat(LONG)}","__proto__":{"b":1},"\\u005f_proto__":2}`)
  const read = parseJson(`[${items}]`) as object[]
  assert.equal(read.length, 3)
  for (const item of read) assert.deepEqual(Object.getOwnPropertyNames(item), ['a'])
})
