import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTimestamp } from '../../../domain/timestamp.ts'
import { time } from './time.ts'

test('a time is kept as it was sent', () => {
  for (const text of ['2024-01-29', '2024-01-29 07:42', '2024-01-29T07:42:07Z', '2024-01-29T07:42:07.059329+02:00'])
    assert.equal(time.parse(text), text)
})

test('an invalid time is refused with the sent value, shortened', () => {
  const { error } = time.safeParse(`${'x'.repeat(60)}`)
  assert.equal(error?.issues[0]?.message, `'${'x'.repeat(40)}' is not an ISO 8601 time`)
})

test('the fast reader and the schema agree on every text that looks like a time', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`))
  const two = fc.oneof(
    fc.integer({ min: 0, max: 62 }).map((n) => String(n).padStart(2, '0')),
    digits(2),
  )
  const text = fc
    .tuple(digits(4), two, two, two, two, two, fc.constantFrom('', '.5', '.123456', '.1234567890'), zone)
    .map(([year, month, day, hour, minute, second, fraction, offset]) =>
      [`${year}-${month}-${day}T`, `${hour}:${minute}:${second}`, fraction, offset].join(''),
    )
  fc.assert(
    fc.property(text, (value) => {
      assert.equal(time.safeParse(value).success, parseTimestamp(value) !== undefined)
    }),
    { numRuns: 5000 },
  )
})

const zone = fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+0200', '+16:00', '')
