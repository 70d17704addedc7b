import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnricherForecast } from '../enrichers/enricher-queries.ts'
import { firstChoice, totalOf } from './enrich-target.ts'

const forecast = (enricher: number, more: Partial<EnricherForecast>): EnricherForecast => ({
  enricher,
  name: `e${enricher}`,
  supported: 10,
  cached: 0,
  skipped: 0,
  look_ups: 10,
  calls: 10,
  cost: null,
  days: null,
  fits: true,
  quota: [],
  ...more,
})

const ALL = [
  forecast(1, { cost: 0.1, days: 2, cached: 3 }),
  forecast(2, { calls: 20, cost: 0.2, days: 0.5 }),
  forecast(3, { fits: false, days: 100 }),
  forecast(4, { look_ups: 0, cached: 10 }),
]

test('the sums include the chosen enrichers only, and the time is that of the slowest', () => {
  assert.deepEqual(totalOf(ALL, new Set([1, 2])), {
    lookUps: 20,
    calls: 30,
    cached: 3,
    cost: 0.3,
    days: 2,
    short: [],
  })
  assert.deepEqual(totalOf(ALL, new Set([3])).short, ['e3'])
  assert.equal(totalOf(ALL, new Set([4])).cost, null)
  assert.equal(totalOf(ALL, new Set()).days, null)
})

test('enrichers without work, without enough calls left, or with a fault are not chosen at first', () => {
  const all = (second: 'ACTIVE' | 'WAITING' | 'SUSPENDED') =>
    [1, 2, 3, 4].map((id) => ({ id, state: id === 2 ? second : ('ACTIVE' as const) }))
  assert.deepEqual([...firstChoice(ALL, all('ACTIVE'))], [1, 2])
  assert.deepEqual([...firstChoice(ALL, all('WAITING'))], [1, 2])
  assert.deepEqual([...firstChoice(ALL, all('SUSPENDED'))], [1])
})
