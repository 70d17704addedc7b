import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginOf, bucketsOf, fittingUnit } from './timeline.ts'

test('weeks begin on Monday and months on the first', () => {
  assert.equal(beginOf('2024-01-28', 'week'), '2024-01-22')
  assert.equal(beginOf('2024-01-29', 'week'), '2024-01-29')
  assert.equal(beginOf('2024-02-29', 'month'), '2024-02-01')
})

test('a timeline includes empty intervals', () => {
  const days = [
    { value: '2024-01-31', count: 2 },
    { value: '2023-12-30', count: 1 },
    { value: '2024-01-02', count: 3 },
  ]
  assert.deepEqual(bucketsOf(days, 'month'), [
    { from: '2023-12-01', count: 1 },
    { from: '2024-01-01', count: 5 },
  ])
  assert.equal(bucketsOf(days, 'day').length, 33)
  assert.equal(bucketsOf([], 'day').length, 0)
})

test('the number of intervals in a timeline is limited', () => {
  const days = [
    { value: '1024-01-31', count: 2 },
    { value: '2024-01-31', count: 2 },
  ]
  assert.equal(bucketsOf(days, 'day').length, 2)
  assert.equal(fittingUnit(days), 'month')
  assert.equal(fittingUnit(days.slice(0, 1)), 'day')
})
