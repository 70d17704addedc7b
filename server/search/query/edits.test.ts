import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isWithin } from './patterns.ts'

test('edits are characters put in, taken out or replaced, and neighbours swapped', () => {
  for (const [one, other, edits] of [
    ['', '', 0],
    ['', 'ab', 2],
    ['emotet', 'emotet', 0],
    ['emotet', 'emotets', 1],
    ['emotet', 'motet', 1],
    ['emotet', 'emutet', 1],
    ['emotet', 'eomtet', 1],
    ['emotet', 'meotte', 2],
    ['abcd', 'badc', 2],
    ['ca', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['a😀b', 'ab', 1],
    ['😀a', 'a😀', 1],
    ['a', 'A', 1],
  ] as const) {
    for (const limit of [0, 1, 2, 3]) {
      const told = `${one} and ${other} within ${limit}`
      assert.equal(isWithin(limit, one, other), edits <= limit, told)
      assert.equal(isWithin(limit, other, one), edits <= limit, told)
    }
  }
})

/** The least edits by trying each of them at the end of both texts. */
function leastEdits(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return one.length + other.length
  const [a, b] = [one.at(-1), other.at(-1)]
  const [shorter, lesser] = [one.slice(0, -1), other.slice(0, -1)]
  const ways = [
    leastEdits(shorter, other) + 1,
    leastEdits(one, lesser) + 1,
    leastEdits(shorter, lesser) + (a === b ? 0 : 1),
  ]
  const isSwapped = shorter.length > 0 && lesser.length > 0 && a === lesser.at(-1) && b === shorter.at(-1)
  if (isSwapped) ways.push(leastEdits(shorter.slice(0, -1), lesser.slice(0, -1)) + 1)
  return Math.min(...ways)
}

test('texts are within as many edits as trying all of them says', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 5 })
  const counts = [0, 0, 0, 0, 0, 0]
  fc.assert(
    fc.property(text, text, (one, other) => {
      const edits = leastEdits([...one], [...other])
      counts[edits] = (counts[edits] ?? 0) + 1
      for (const limit of [0, 1, 2, 3, 4]) assert.equal(isWithin(limit, one, other), edits <= limit)
    }),
    { numRuns: 5000 },
  )
  assert.ok(
    counts.slice(0, 5).every((count) => count > 50),
    `${counts} pairs are so many edits apart`,
  )
})
