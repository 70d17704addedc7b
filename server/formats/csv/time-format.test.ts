import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readTime } from './time-format.ts'

test('without a format, times are read in ISO 8601 and as numbers since 1970', () => {
  for (const [text, expected] of [
    ['2024-01-29', '2024-01-29T00:00:00.000000+00:00'],
    ['2024-01-29 07:42', '2024-01-29T07:42:00.000000+00:00'],
    [' 2024-01-29T07:42:07.059329Z ', '2024-01-29T07:42:07.059329+00:00'],
    ['2024-01-29 07:42:07+02:00', '2024-01-29T05:42:07.000000+00:00'],
    ['2024-01-29 07:42:07 UTC', '2024-01-29T07:42:07.000000+00:00'],
    ['1706514127', '2024-01-29T07:42:07.000000+00:00'],
    ['1706514127059', '2024-01-29T07:42:07.059000+00:00'],
  ] as const) {
    assert.equal(readTime(text), expected, text)
  }
  for (const text of ['', 'yesterday', '29/01/2024', '2024-02-30', '2024-01-29T25:00', '0000-01-01']) {
    assert.equal(readTime(text), undefined, text)
  }
})

test('a strptime format determines how a time is written', () => {
  for (const [text, format, expected] of [
    ['29/01/2024', '%d/%m/%Y', '2024-01-29T00:00:00.000000+00:00'],
    ['Jan 9, 2024 7:42 PM', '%b %d, %Y %I:%M %p', '2024-01-09T19:42:00.000000+00:00'],
    ['12:05 am 1/2/24', '%I:%M %p %m/%d/%y', '2024-01-02T00:05:00.000000+00:00'],
    ['Monday, 29 January 2024', '%A, %d %B %Y', '2024-01-29T00:00:00.000000+00:00'],
    ['20240129T074207.5-0130', '%Y%m%dT%H%M%S.%f%z', '2024-01-29T09:12:07.500000+00:00'],
    ['2024 029', '%Y %j', '2024-01-29T00:00:00.000000+00:00'],
    ['100% 2024', '100%% %Y', '2024-01-01T00:00:00.000000+00:00'],
    ['1706514127', '%s', '2024-01-29T07:42:07.000000+00:00'],
    ['2024-01-29 07:42:07 GMT', '%F %T %Z', '2024-01-29T07:42:07.000000+00:00'],
  ] as const) {
    assert.equal(readTime(text, format), expected, text)
  }
  for (const [text, format] of [
    ['29/13/2024', '%d/%m/%Y'],
    ['2024-01-29 x', '%Y-%m-%d'],
    ['2024', '%Q'],
    ['Foo 1', '%b %d'],
    ['366 2023', '%j %Y'],
    ['13:00 PM', '%H:%M %p'],
  ] as const) {
    assert.equal(readTime(text, format), undefined, text)
  }
})

test('every time survives formatting and reading', () => {
  const moments = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, (moment) => {
      const iso = moment.toISOString()
      assert.equal(readTime(iso), `${iso.slice(0, -1)}000+00:00`)
    }),
  )
})
