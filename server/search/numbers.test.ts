import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sortableNumber } from './numbers.ts'

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer({ min: -200, max: 200 }),
  fc.integer({ min: -2_000, max: 2_000 }).map((cents) => cents / 100),
  fc.constantFrom(0, -0, 5e-324, -5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 1e21, 1e-7),
)

const order = (left: number | string, right: number | string): number => (left < right ? -1 : left > right ? 1 : 0)

test('the order of the texts is the order of the numbers', () => {
  fc.assert(
    fc.property(number, number, (left, right) => {
      assert.equal(order(sortableNumber(left), sortableNumber(right)), order(left, right))
    }),
    { numRuns: 5_000 },
  )
})

test('texts are plain ASCII in byte order and short', () => {
  fc.assert(fc.property(number, (value) => assert.match(sortableNumber(value), /^(?:0\d{4,20}~|1|2\d{4,20})$/)))
})

test('numbers that start with the same digits share a prefix, above and below zero', () => {
  const hasPrefix = (prefix: string) => (value: number) => sortableNumber(value).startsWith(prefix)
  const ten = sortableNumber(10)
  assert.ok([10, 10.01, 15, 19.999].every(hasPrefix(ten)))
  assert.ok(![1, 9.99, 20, 100, 110, -10, 0].some(hasPrefix(ten)))
  const minusTen = sortableNumber(-10).slice(0, -1)
  assert.ok([-10, -10.01, -15, -19.999].every(hasPrefix(minusTen)))
  assert.ok(![-1, -9.99, -20, -100, 10, 0].some(hasPrefix(minusTen)))
})
