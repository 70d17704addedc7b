import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { searchDocument } from './document.ts'
import { forgetLearned } from './learned.ts'
import { learnWord } from './terms.ts'

// Files of tests share a process, and with it what it has learned.
beforeEach(forgetLearned)

const wordsOf = (title: string) => searchDocument({ data: { title }, tags: [], taxonomies: [], attacks: [] }).words

test('a word is given until it is learned, and never afterwards', () => {
  assert.deepEqual(wordsOf('Alpha beta ALPHA'), ['alpha', 'beta'])
  learnWord('alpha')
  assert.deepEqual(wordsOf('Alpha beta gamma'), ['beta', 'gamma'])
})

test('what is learned is just the words that were given, in any script and of any length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (text, times) => {
      const title = text.repeat(times)
      const given = wordsOf(title)
      for (const word of given) learnWord(word)
      assert.deepEqual(wordsOf(title), [])
    }),
  )
})

test('a hundred thousand words are told apart, and others are still given', () => {
  for (let i = 0; i < 100_000; i++) learnWord(`learned${i}`)
  assert.deepEqual(wordsOf('learned5 learned99999 unlearned5 learned100000'), ['unlearned5', 'learned100000'])
})

test('none of very many words is taken for another', () => {
  const name = (i: number) => `w${(i * 7919).toString(36)}`
  for (let i = 0; i < 150_000; i++) learnWord(name(i))
  let given = 0
  for (let from = 150_000; from < 450_000; from += 1000) {
    given += wordsOf(Array.from({ length: 1000 }, (_, i) => name(from + i)).join(' ')).length
  }
  assert.equal(given, 300_000)
})
