import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomOf } from './random.ts'

const word = fc.integer({ min: 0, max: 4_294_967_295 })

test('the numbers of a seed, index and stream never change', () => {
  const random = randomOf(1, 2, 3)
  assert.deepEqual([random.next(), random.next()], [3_987_121_759, 92_551_270])
})

test('another seed, index or stream has other numbers', () => {
  const first = (...[seed, index, stream]: [number, number, number]) => {
    const random = randomOf(seed, index, stream)
    return [random.next(), random.next(), random.next(), random.next()].join()
  }
  fc.assert(
    fc.property(fc.tuple(word, word, word), fc.tuple(word, word, word), (one, other) => {
      fc.pre(one.join() !== other.join())
      assert.notEqual(first(...one), first(...other))
    }),
  )
})

test('values stay within the requested bounds', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 20 }), (seed, i, n, k) => {
      const random = randomOf(seed, i, 1)
      const [below, rank] = [random.below(n), random.rank(k)]
      assert.ok(Number.isInteger(below) && below >= 0 && below < n)
      assert.ok(Number.isInteger(rank) && rank >= 0 && rank < 2 ** k - 1)
    }),
  )
})

test('every entry of a list is preferred at times, and the first one most', () => {
  fc.assert(
    fc.property(word, fc.integer({ min: 8, max: 60 }), (seed, length) => {
      const random = randomOf(seed, 0, 1)
      const list = Array.from({ length }, (_, i) => i)
      const counts = list.map(() => 0)
      for (let i = 0; i < 200 * length; i++) {
        const place = random.prefer(list)
        counts[place] = (counts[place] ?? 0) + 1
      }
      assert.ok(counts.every((count) => count > 0))
      assert.ok((counts[0] ?? 0) > 1.5 * (counts.at(-1) ?? 0), counts.join(' '))
    }),
    { numRuns: 20 },
  )
})
