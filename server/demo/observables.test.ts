import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normaliseObservable } from '../domain/observables/normalise.ts'
import { observablesOf } from './observables.ts'

const word = fc.integer({ min: 0, max: 4_294_967_295 })

test('an entity has three different observables, each valid and in its one spelling', () => {
  fc.assert(
    fc.property(word, word, (seed, index) => {
      const observables = observablesOf(seed, index)
      assert.equal(new Set(observables.map(({ type, value }) => `${type} ${value}`)).size, 3)
      for (const { type, value } of observables) assert.deepEqual(normaliseObservable(type, value), { value })
    }),
    { numRuns: 2000 },
  )
})

test('a fifth of the observables are known from a pool, the others are new', () => {
  const counts = new Map<string, number>()
  for (let index = 0; index < 20_000; index++) {
    for (const { type, value } of observablesOf(1, index)) {
      const key = `${type} ${value}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const repeated = [...counts.values()].filter((count) => count > 1).reduce((sum, count) => sum + count, 0)
  assert.ok(repeated > 0.16 * 60_000 && repeated < 0.24 * 60_000, `${repeated} of 60000`)
  assert.ok(Math.max(...counts.values()) > 500)
})

test('no address and no name belongs to anybody', () => {
  for (let index = 0; index < 3000; index++) {
    for (const { type, value } of observablesOf(1, index)) {
      if (type === 'ipv4') assert.match(value, /^(10|198\.1[89])\./)
      if (type === 'ipv6') assert.match(value, /^2001:db8:/)
      if (type === 'domain' || type === 'email' || type === 'host') assert.match(value, /\.(example|test)$/)
      if (type === 'uri') assert.match(new URL(value).hostname, /\.(example|test)$/)
    }
  }
})
