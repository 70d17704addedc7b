import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTimestamp } from './timestamp.ts'

test('every moment is read from every way to write it', () => {
  const minutes = fc.integer({ min: -15 * 60, max: 15 * 60 })
  const moment = fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(moment, minutes, (date, offset) => {
      const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
      const sign = offset < 0 ? '-' : '+'
      const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')
      const rest = String(Math.abs(offset) % 60).padStart(2, '0')
      const wire = `${date.toISOString().slice(0, -1)}000+00:00`
      assert.equal(parseTimestamp(`${local}${sign}${hours}:${rest}`), wire)
      assert.equal(parseTimestamp(`${local}${sign}${hours}${rest}`), wire)
      assert.equal(parseTimestamp(date.toISOString()), wire)
      assert.equal(parseTimestamp(wire), wire)
      assert.equal(parseTimestamp(date.toISOString().slice(0, -1).replace('T', ' ')), wire)
    }),
  )
})

test('what is no moment is refused', () => {
  const wrong = [
    '',
    'now',
    '2024',
    '2024-13-01',
    '2024-02-30',
    '2023-02-29',
    '2024-01-01T24:00:00Z',
    '2024-01-01T10:60',
    '2024-01-01T10:00:00+16:00',
    '0000-01-01',
    '12024-01-01',
    '2024-01-01Tx',
  ]
  assert.deepEqual(
    wrong.filter((text) => parseTimestamp(text) !== undefined),
    [],
  )
})
