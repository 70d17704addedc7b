import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import { type SearchDocument, searchDocument } from './document.ts'
import { keywordLexeme, numberLexeme, tagLexeme, textLexeme } from './lexemes.ts'

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

const documentOf = (data: Record<string, unknown>, tags: string[] = []): SearchDocument =>
  searchDocument({ data, tags, taxonomies: [], attacks: [] })

/** The lexemes in PostgreSQL with their positions. */
async function received({ vector }: SearchDocument): Promise<Map<string, number[] | null>> {
  const { rows } = await database.pool.query('select lexeme, positions from unnest($1::tsvector)', [vector])
  assert.equal(rows.length, vector.readInt32BE(0))
  const lexemes = new Map(rows.map(({ lexeme, positions }) => [lexeme, positions]))
  assert.equal(lexemes.size, rows.length, 'a lexeme comes twice')
  return lexemes
}

const numbered = (count: number, word: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => word(index))

test('a text of many words leaves room for tags and properties', async () => {
  const description = numbered(20_000, (index) => `word${index}`).join(' ')
  const lexemes = await received(documentOf({ title: 'Heron', description, confidence: 'high' }, ['bird']))
  assert.ok(lexemes.size > 4_000 && lexemes.size <= 5_000)
  for (const lexeme of [
    textLexeme('t', 'heron'),
    textLexeme('d', 'word0'),
    tagLexeme('bird'),
    keywordLexeme('confidence', 'high'),
  ]) {
    assert.ok(lexemes.has(lexeme), lexeme)
  }
})

test('properties end at 5,000 lexemes and at 200 paths', async () => {
  const many = await received(documentOf({ title: 'Heron', list: numbered(10_000, (index) => `value ${index}`) }))
  assert.equal(many.size, 5_000)
  const wide = Object.fromEntries(numbered(300, (index) => `key${index}`).map((key) => [key, 1]))
  const lexemes = await received(documentOf({ ...wide, key0: [1, 2] }))
  assert.equal(lexemes.size, 401)
  assert.ok(lexemes.has(numberLexeme('key199', 1)) && !lexemes.has(numberLexeme('key200', 1)))
})

test('a vector stays below 900 kB, and its text below 700 kB', async () => {
  const long = (letter: string, count: number) => numbered(count, (index) => letter.repeat(190) + index)
  const document = documentOf({ description: long('a', 5_000).join(' '), list: long('b', 5_000), confidence: 'high' })
  assert.ok(document.vector.length > 800_000 && document.vector.length <= 900_000)
  const lexemes = await received(document)
  assert.ok([...lexemes.keys()].filter((lexeme) => lexeme.startsWith('.list')).length > 900)
  const wide = Object.fromEntries(long('ж', 250).map((key) => [key.repeat(2), long('c', 30)]))
  assert.ok((await received(documentOf(wide))).size > 900)
})

test('positions end at the limit of PostgreSQL', async () => {
  const description = `${'again '.repeat(300)}${'filler '.repeat(17_000)}late again late`
  const lexemes = await received(documentOf({ description }))
  assert.equal(lexemes.get(textLexeme('d', 'again'))?.length, 255)
  assert.deepEqual(lexemes.get(textLexeme('d', 'late')), [16_383])
  const names = numbered(200, (index) => `name${index}`)
  assert.deepEqual((await received(documentOf({ names }))).get(textLexeme('n', 'name199')), [16_383])
})

test('a long word is found by its beginning, a long value by its hash', async () => {
  const document = documentOf({ title: `${'ж'.repeat(300)} end`, note: 'N'.repeat(5_000) })
  const lexemes = await received(document)
  assert.deepEqual(lexemes.get(textLexeme('t', 'ж'.repeat(300))), [1])
  assert.ok(lexemes.has(keywordLexeme('note', 'n'.repeat(5_000))))
  assert.deepEqual(document.words, ['ж'.repeat(100), 'end'])
})

test('words beyond ASCII are preserved', async () => {
  const words = ['zürich', 'программа', '勒索', 'التصيد', '𐐨𐐩']
  const lexemes = await received(documentOf({ title: words.join(' ') }))
  for (const word of words) assert.ok(lexemes.has(textLexeme('t', word)), word)
})

test('nesting is followed for 100 levels and never further', async () => {
  const nest = (levels: number): unknown => (levels === 0 ? 'deep' : { a: nest(levels - 1) })
  assert.equal((await received(documentOf({ x: nest(90) }))).size, 2)
  let bottomless: unknown = 'deep'
  for (let level = 0; level < 100_000; level++) bottomless = level % 2 === 0 ? [bottomless] : { a: bottomless }
  assert.equal((await received(documentOf({ x: bottomless, title: bottomless, names: bottomless }))).size, 0)
})

test('unusual keys are accepted', async () => {
  const data = JSON.parse('{"__proto__": "a", "constructor": "b", "": "c", "x": {"__proto__": {"toString": "d"}}}')
  const lexemes = await received(documentOf(data))
  for (const [path, value] of [
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['', 'c'],
    ['x.__proto__.toString', 'd'],
  ] as const) {
    assert.ok(lexemes.has(keywordLexeme(path, value)), path)
  }
  assert.equal((await received(documentOf({ ['k'.repeat(3_000)]: 'a', b: Number.POSITIVE_INFINITY }))).size, 0)
})

test('PostgreSQL accepts the document of any data', async () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom('a', ' ', '\0', '\u001f', "'", '\\'), anyUnit()),
    maxLength: 30,
  })
  const key = fc.oneof(text, fc.constantFrom('title', 'description', 'names', 'value', '__proto__', 'id', 'a.b'))
  const leaf = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.date().map(String), fc.uuid())
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie('value')), fc.dictionary(key, tie('value'))),
  }))
  const data = fc.dictionary(key, value) as fc.Arbitrary<Record<string, unknown>>
  await fc.assert(
    fc.asyncProperty(data, text, fc.array(text), async (data, alias, tags) => {
      await received(searchDocument({ data, alias, tags, taxonomies: [1, 1], attacks: [alias] }))
    }),
    { numRuns: 200 },
  )
})

function anyUnit(): fc.Arbitrary<string> {
  return fc.nat(0xffff).map((code) => String.fromCharCode(code))
}
