import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getOwnZone, own, setOwnZone, utc } from './clock.ts'

test('a time is written to the minute in UTC, whatever offset it came with', () => {
  assert.equal(utc('2024-01-29T07:42:07.059329+00:00'), '2024-01-29 07:42')
  assert.equal(utc('2024-01-29T01:12:00+05:30'), '2024-01-28 19:42')
})

test('a time by the own clock follows the time zone of the account, in summer too', () => {
  setOwnZone('Europe/Amsterdam')
  assert.equal(own('2024-01-29T07:42:07Z'), '2024-01-29 08:42')
  assert.equal(own('2024-07-29T22:42:07Z'), '2024-07-30 00:42')
})

test('an account in UTC has the time zone of the machine', () => {
  const ofMachine = Intl.DateTimeFormat().resolvedOptions().timeZone
  setOwnZone('Asia/Kolkata')
  setOwnZone('UTC')
  assert.equal(getOwnZone(), ofMachine)
})
