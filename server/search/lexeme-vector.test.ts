import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { searchDocument } from './document.ts'
import { existsLexeme, keywordLexeme, tagLexeme, textLexeme } from './lexemes.ts'
import { cutWord, splitWords } from './words.ts'

/** The lexemes of a vector and their positions. */
function read(vector: Buffer): Map<string, number[]> {
  const lexemes = new Map<string, number[]>()
  let at = 4
  for (let count = vector.readInt32BE(0); count > 0; count--) {
    const end = vector.indexOf(0, at)
    const positions = Array.from({ length: vector.readUInt16BE(end + 1) }, (_, i) =>
      vector.readUInt16BE(end + 3 + 2 * i),
    )
    lexemes.set(vector.toString('utf8', at, end), positions)
    at = end + 3 + 2 * positions.length
  }
  assert.equal(at, vector.length)
  return lexemes
}

const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 200 })
const few = fc.string({ unit: fc.constantFrom(..."aZ09_.,:;' -\n\u007f"), maxLength: 40 })
const any = fc.string({ unit: fc.constantFrom(...'aÉß09_.’, Ж語'), maxLength: 40 })
const long = fc.integer({ min: 195, max: 205 }).chain((n) => fc.constantFrom('Ab'.repeat(n), `${'x'.repeat(n)}.y z`))
const text = fc.oneof(ascii, few, any, long, fc.tuple(long, any).map(String))

test('the words of a text are those that a query is split into, at their positions', () => {
  fc.assert(
    fc.property(text, (title) => {
      const { vector, words } = searchDocument({ data: { title }, tags: [], taxonomies: [], attacks: [] })
      const expected = new Map<string, number[]>()
      for (const [i, word] of splitWords(title).entries()) {
        const lexeme = textLexeme('t', word)
        expected.set(lexeme, [...(expected.get(lexeme) ?? []), i + 1])
      }
      if (title !== '') expected.set(existsLexeme('title'), [])
      assert.deepEqual(read(vector), expected)
      assert.deepEqual(words, [...new Set(splitWords(title).map(cutWord))])
    }),
    { numRuns: 500 },
  )
})

test('values and tags become the lexemes that a query searches for', () => {
  const value = fc.oneof(ascii, few, any).filter((each) => each !== '')
  fc.assert(
    fc.property(value, value, value, (name, word, tag) => {
      // Dates and identifiers are other kinds of values.
      const data = { [`x_${name}`]: `${word}~` }
      const { vector } = searchDocument({ data, tags: [tag], taxonomies: [], attacks: [] })
      const lexemes = [existsLexeme(`x_${name}`), keywordLexeme(`x_${name}`, `${word}~`), tagLexeme(tag)]
      assert.deepEqual(new Set(read(vector).keys()), new Set(lexemes))
    }),
    { numRuns: 500 },
  )
})
