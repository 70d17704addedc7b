import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { castOf } from './cast.ts'
import { observablesOf } from './observables.ts'
import { proseOf } from './prose.ts'
import { randomOf } from './random.ts'
import { bodySentences } from './sentences.ts'

test('a description has the requested length, and at most one sentence more', () => {
  const word = fc.integer({ min: 0, max: 4_294_967_295 })
  fc.assert(
    fc.property(word, fc.integer({ min: 0, max: 3000 }), (seed, length) => {
      const random = randomOf(seed, 0, 1)
      const text = proseOf(random, castOf(random, observablesOf(seed, 0)), length)
      assert.ok(text.length >= length && text.length < length + 300, `${text.length} for ${length}`)
    }),
  )
})

test('the number of sentences is a prime, so that no description has one twice', () => {
  const count = bodySentences.length
  for (let divisor = 2; divisor < count; divisor++) assert.notEqual(count % divisor, 0)
})
