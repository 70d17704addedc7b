import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getLocalZone, localTime, setLocalZone, utcTime } from './clock.ts'

test('a time is shown to the minute in UTC, regardless of its offset', () => {
  assert.equal(utcTime('2024-01-29T07:42:07.059329+00:00'), '2024-01-29 07:42')
  assert.equal(utcTime('2024-01-29T01:12:00+05:30'), '2024-01-28 19:42')
})

test('local times use the time zone of the account, including daylight saving time', () => {
  setLocalZone('Europe/Amsterdam')
  assert.equal(localTime('2024-01-29T07:42:07Z'), '2024-01-29 08:42')
  assert.equal(localTime('2024-07-29T22:42:07Z'), '2024-07-30 00:42')
})

test('an account in UTC gets the time zone of the browser', () => {
  const ofMachine = Intl.DateTimeFormat().resolvedOptions().timeZone
  setLocalZone('Asia/Kolkata')
  setLocalZone('UTC')
  assert.equal(getLocalZone(), ofMachine)
})
