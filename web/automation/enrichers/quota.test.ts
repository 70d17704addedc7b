import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysText, quotaColour, successRate, usedPercent, windowName } from './quota.ts'

test('a window is named by its unit', () => {
  const names = [1, 30, 60, 120, 3_600, 7_200, 86_400, 172_800, 100, null].map(windowName)
  assert.deepEqual(names, [
    'per second',
    'in 30 s',
    'per minute',
    'in 2 min',
    'per hour',
    'in 2 hours',
    'per day',
    'in 2 days',
    'in 100 s',
    'per month',
  ])
})

test('a limit is orange when it is nearly used up, and red when nothing is left', () => {
  const colours = [0, 79, 80, 99, 100, 120].map((used) => quotaColour({ calls: 100, used }))
  assert.deepEqual(colours, ['teal', 'teal', 'orange', 'orange', 'red', 'red'])
  assert.equal(usedPercent({ calls: 0, used: 0 }), 100)
  assert.equal(usedPercent({ calls: 100, used: 130 }), 100)
})

test('finding nothing is a success, and without look-ups there is no rate', () => {
  assert.equal(successRate({ found_count: 1, empty_count: 2, failed_count: 1 }), 75)
  assert.equal(successRate({ found_count: 0, empty_count: 0, failed_count: 3 }), 0)
  assert.equal(successRate({ found_count: 0, empty_count: 0, failed_count: 0 }), null)
})

test('a duration is given in a fitting unit', () => {
  const texts = [null, 0, 0.0001, 0.01, 0.25, 1, 1.5, 365].map(daysText)
  assert.deepEqual(texts, ['No limits', 'Under 1 min', 'Under 1 min', '15 min', '6 h', '1 day', '1.5 days', '365 days'])
})
