import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { beginningsOf } from './prefixes.ts'

const ALPHABET = '012'

const texts = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1, maxLength: 4 })

test('prefixes find exactly the texts in the range', () => {
  const range = fc.record({
    from: fc.option(texts),
    to: fc.option(texts),
    includesFrom: fc.boolean(),
    includesTo: fc.boolean(),
  })
  fc.assert(
    fc.property(range, texts, (wanted, text) => {
      const { from, to, includesFrom, includesTo } = wanted
      const isIn =
        (from === null || text > from || (includesFrom && text === from)) &&
        (to === null || text < to || (includesTo && text === to))
      const found = beginningsOf(wanted, ALPHABET)
      const isFound = found.some((each) => (each.isPrefix ? text.startsWith(each.text) : text === each.text))
      assert.equal(isFound, isIn, JSON.stringify({ wanted, text, found }))
    }),
    { numRuns: 20_000 },
  )
})
