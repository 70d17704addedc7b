import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isoDay } from './days.ts'

test('dates and times have their day in UTC', () => {
  for (const [text, day] of [
    ['2025-03-01', '2025-03-01'],
    ['2025-03-01T10:00:00Z', '2025-03-01'],
    ['2025-03-01 23:59', '2025-03-01'],
    ['2025-03-01T10:00:00.059329+00:00', '2025-03-01'],
    ['2025-03-01T00:30:00+01:00', '2025-02-28'],
    ['2024-12-31T23:30:00-0100', '2025-01-01'],
    ['2024-02-29', '2024-02-29'],
    ['2000-02-29', '2000-02-29'],
    ['0001-01-01T00:00:00Z', '0001-01-01'],
  ] as const) {
    assert.equal(isoDay(text), day, text)
  }
})

test('any time that JavaScript writes has the day it writes', () => {
  const date = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  fc.assert(
    fc.property(date, (moment) => assert.equal(isoDay(moment.toISOString()), moment.toISOString().slice(0, 10))),
  )
})

test('other texts have no day', () => {
  for (const text of [
    '',
    '2025',
    '2025-03',
    '2025-13-01',
    '2025-02-29',
    '2025-04-31',
    '1900-02-29',
    '2025-03-01T25:00',
    '2025-03-01T10:00:00+99:00',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:00-01:00',
    '2025-03-01 report',
    '2025-03-01\n',
    'x2025-03-01',
  ]) {
    assert.equal(isoDay(text), undefined, text)
  }
})
