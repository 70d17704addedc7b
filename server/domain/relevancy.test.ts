import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { relevancy } from './relevancy.ts'

const DAY = 86_400
const days = fc.integer({ min: 1, max: 10_000_000 })
const seconds = fc.integer({ min: 0, max: 10_000_000_000 })

test('a threat that starts now or later is fully relevant', () => {
  assert.equal(relevancy(0, 30), 1)
  assert.equal(relevancy(-1, 30), 1)
  assert.equal(relevancy(Number.NEGATIVE_INFINITY, 30), 1)
})

test('relevancy halves with every half-life', () => {
  assert.equal(relevancy(30 * DAY, 30), 0.5)
  assert.equal(relevancy(60 * DAY, 30), 0.25)
  fc.assert(
    fc.property(seconds, days, (age, halfLife) => {
      const now = relevancy(age, halfLife)
      const later = relevancy(age + halfLife * DAY, halfLife)
      assert.ok(Math.abs(later - now / 2) <= 1e-9 * now, `${now} ${later}`)
    }),
  )
})

test('relevancy never rises with age, and never falls with a longer half-life', () => {
  fc.assert(
    fc.property(seconds, seconds, days, (age, more, halfLife) => {
      assert.ok(relevancy(age + more, halfLife) <= relevancy(age, halfLife))
      assert.ok(relevancy(age, halfLife + 1) >= relevancy(age, halfLife))
    }),
  )
})

test('relevancy is between 0 and 1 for any input', () => {
  assert.equal(relevancy(Number.MAX_VALUE, 1), 0)
  assert.equal(relevancy(Number.NaN, 1), 1)
  assert.equal(relevancy(0, 0), 1)
  fc.assert(
    fc.property(fc.double(), fc.double(), (age, halfLife) => {
      const answer = relevancy(age, halfLife)
      assert.ok(answer >= 0 && answer <= 1, String(answer))
    }),
  )
})
