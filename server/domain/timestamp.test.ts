import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { offsetMinutes, parseTimestamp, readIsoTime, readLenientIsoTime } from './timestamp.ts'

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

test('texts that are not times are refused', () => {
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

test('a time is read with its precision, fraction and zone', () => {
  const local = Date.UTC(2024, 0, 29, 7, 42)
  for (const [text, precision, seconds, fraction, zone] of [
    ['2024-01-29T07:42', 'minute', 0, '', ''],
    ['2024-01-29 07:42:07Z', 'second', 7, '', 'Z'],
    ['2024-01-29t07:42:07.0593291+0100', 'second', 7, '0593291', '+0100'],
  ] as const) {
    assert.deepEqual(readIsoTime(text), { year: 2024, local: local + seconds * 1000, precision, fraction, zone }, text)
  }
  assert.equal(readIsoTime('2024-01-29')?.precision, 'day')
  assert.equal(readIsoTime('0050-01-01')?.local, Date.parse('0050-01-01'))
})

test('only dates and times that exist are read', () => {
  for (const text of ['2000-02-29', '2024-02-29', '2024-12-31', '0000-02-29', '9999-12-31T23:59:59.999Z']) {
    assert.notEqual(readIsoTime(text), undefined, text)
  }
  for (const text of [
    ...['1900-02-29', '2023-02-29', '2024-04-31', '2024-00-10', '2024-13-10', '2024-01-00', '2024-01-32'],
    ...['2024-01-29T24:00', '2024-01-29T10:60', '2016-12-31T23:59:60Z', '2024-01-29T10:00:00.Z', '2024-01'],
  ]) {
    assert.equal(readIsoTime(text), undefined, text)
    assert.equal(readLenientIsoTime(text), undefined, text)
  }
})

test('variants that only the API accepts need the lenient reader', () => {
  for (const text of [
    ' 2024-01-29',
    '2024-01-29T07:42:07,5Z',
    '2024-01-29T07:42 +01:00',
    '2024-01-29T07:42+01',
    '2024-01-29Z',
  ]) {
    assert.equal(readIsoTime(text), undefined, text)
    assert.notEqual(readLenientIsoTime(text), undefined, text)
  }
})

test('zones have a limit', () => {
  for (const [zone, minutes] of [
    ['', 0],
    ['z', 0],
    ['+05', 300],
    ['-0530', -330],
    ['+14:59', 899],
    ['+15:00', undefined],
    ['+02:75', undefined],
  ] as const) {
    assert.equal(offsetMinutes(zone, 14), minutes, zone)
  }
})
