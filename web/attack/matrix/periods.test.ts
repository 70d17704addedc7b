import assert from 'node:assert/strict'
import { test } from 'node:test'
import { periodsBetween, readPeriod } from './periods.ts'

const names = (first: string, last: string) => periodsBetween(new Date(first), new Date(last)).map(({ name }) => name)

test('a period begins and ends in UTC', () => {
  assert.deepEqual(readPeriod('2024-12'), {
    name: '2024-12',
    from: '2024-12-01T00:00:00.000Z',
    until: '2025-01-01T00:00:00.000Z',
  })
  assert.equal(readPeriod('2024-Q2')?.from, '2024-04-01T00:00:00.000Z')
  assert.equal(readPeriod('2024-Q4')?.until, '2025-01-01T00:00:00.000Z')
  assert.equal(readPeriod('2024')?.until, '2025-01-01T00:00:00.000Z')
})

test('anything else is no period', () => {
  for (const text of ['', '24', '2024-13', '2024-00', '2024-Q5', '2024-1', 'now'])
    assert.equal(readPeriod(text), undefined, text)
})

test('a short time has months, a longer one quarters or years', () => {
  assert.deepEqual(names('2024-11-30T12:00:00Z', '2025-01-01T00:00:00Z'), ['2024-11', '2024-12', '2025-01'])
  assert.deepEqual(names('2020-02-01T00:00:00Z', '2024-01-01T00:00:00Z').slice(0, 2), ['2020-Q1', '2020-Q2'])
  assert.deepEqual(names('2001-06-01T00:00:00Z', '2024-01-01T00:00:00Z').slice(-2), ['2023', '2024'])
  assert.ok(names('0099-01-01T00:00:00Z', '2024-01-01T00:00:00Z').length <= 60)
})
