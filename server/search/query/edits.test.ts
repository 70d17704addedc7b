import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differsByAtMost, likesNear } from './patterns.ts'

test('edits are inserted, removed and replaced characters, and swapped neighbours', () => {
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
      assert.equal(differsByAtMost(limit, one, other), edits <= limit, told)
      assert.equal(differsByAtMost(limit, other, one), edits <= limit, told)
    }
  }
})

/** The edit distance, calculated by trying every edit at the end of both texts. */
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

test('edit distances equal those of trying every edit', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 5 })
  const counts = [0, 0, 0, 0, 0, 0]
  fc.assert(
    fc.property(text, text, (one, other) => {
      const edits = leastEdits([...one], [...other])
      counts[edits] = (counts[edits] ?? 0) + 1
      for (const limit of [0, 1, 2, 3, 4]) assert.equal(differsByAtMost(limit, one, other), edits <= limit)
    }),
    { numRuns: 5000 },
  )
  assert.ok(
    counts.slice(0, 5).every((count) => count > 50),
    `${counts} pairs for each number of edits`,
  )
})

/** Whether a LIKE pattern without `_` matches. */
const isLike = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll('%', '.*')}$`, 'u').test(text)

test('every text within the edits matches one of the patterns that an index can answer', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '😀'), { minLength: 4, maxLength: 16 })
  const edit = fc.tuple(fc.constantFrom('put', 'take', 'replace', 'swap'), fc.nat(), fc.constantFrom('a', 'c', 'd'))
  const tried = [0, 0, 0]
  fc.assert(
    fc.property(text, fc.array(edit, { maxLength: 2 }), (one, edits) => {
      const other: string[] = [...one]
      for (const [kind, place, character] of edits) {
        const at = place % Math.max(other.length, 1)
        if (kind === 'put') other.splice(at, 0, character)
        else if (kind === 'take') other.splice(at, 1)
        else if (kind === 'replace') other[at] = character
        else other.splice(at, 2, ...other.slice(at, at + 2).reverse())
      }
      const [wanted, found] = [one.join(''), other.join('')]
      for (const limit of [0, 1, 2] as const) {
        const likes = likesNear(limit, wanted)
        if (likes === null || !differsByAtMost(limit, wanted, found)) continue
        tried[limit] = (tried[limit] ?? 0) + 1
        assert.ok(
          likes.some((like) => isLike(like, found)),
          `${found} is none of ${likes}`,
        )
      }
    }),
    { numRuns: 5000 },
  )
  assert.ok(
    tried.every((count) => count > 500),
    `${tried} pairs were tried`,
  )
})

test('a text that is too short for an index has no such patterns', () => {
  assert.deepEqual(likesNear(0, 'a_b'), ['a\\_b'])
  assert.deepEqual(likesNear(1, 'abcde'), null)
  assert.deepEqual(likesNear(1, 'abcdef'), ['ab%', '%ef'])
  assert.deepEqual(likesNear(2, 'abcdefghij'), null)
  assert.deepEqual(likesNear(2, 'abcdefghijk'), ['ab%', '%jk', '%efg%'])
})
