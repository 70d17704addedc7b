import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Budget, freeAt, MONTH, take, usedOf } from './budget.ts'

const SECOND = 1000
const START = Date.UTC(2026, 0, 15)

test('no window of any position has more calls than allowed', () => {
  const history = fc.record({
    calls: fc.integer({ min: 1, max: 30 }),
    seconds: fc.integer({ min: 1, max: 500 }),
    pauses: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 200 }),
  })
  fc.assert(
    fc.property(history, ({ calls, seconds, pauses }) => {
      let budget: Budget = { seconds, calls, parts: [] }
      let now = START
      const made: number[] = []
      for (const pause of pauses) {
        now = Math.max(now + pause, freeAt(budget, now, 1))
        budget = take(budget, now)
        made.push(now)
        const within = made.filter((time) => time > now - seconds * SECOND)
        assert.ok(within.length <= calls, `${within.length} calls within ${seconds} seconds, of ${calls}`)
        assert.ok(budget.parts.length <= 25)
      }
    }),
  )
})

test('a window that is full is free again at the time that it says, and not later than a twentieth after its length', () => {
  let budget: Budget = { seconds: 60, calls: 4, parts: [] }
  for (let i = 0; i < 4; i++) budget = take(budget, START + i * SECOND)
  const free = freeAt(budget, START + 4 * SECOND, 1)
  assert.ok(free >= START + 60 * SECOND && free <= START + 66 * SECOND)
  assert.equal(usedOf(budget, free - 1), 4)
  assert.ok(usedOf(budget, free) < 4)
  assert.equal(freeAt(budget, free, 1), free)
})

test('the calls of a month count until it ends', () => {
  const december = Date.UTC(2026, 11, 31, 23, 59)
  const budget = take({ seconds: MONTH, calls: 1, parts: [] }, december)
  assert.equal(freeAt(budget, december, 1), Date.UTC(2027, 0, 1))
  assert.equal(usedOf(budget, Date.UTC(2027, 0, 1)), 0)
})

test('a cap of none is never free, and more calls than a window allows wait until it is empty', () => {
  assert.equal(freeAt({ seconds: 60, calls: 0, parts: [] }, START, 1), Number.POSITIVE_INFINITY)
  const empty: Budget = { seconds: 60, calls: 2, parts: [] }
  assert.equal(freeAt(empty, START, 5), START)
  assert.ok(freeAt(take(empty, START), START, 5) > START)
})
