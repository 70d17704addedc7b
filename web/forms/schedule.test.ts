import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleInWords, scheduleOf, scheduleValues } from './schedule.ts'

test('a schedule survives its form, with its time zone', () => {
  for (const stored of [
    null,
    { cron: null, interval: 3600, time_zone: 'UTC' },
    { cron: '0 3 * * *', interval: null, time_zone: 'Europe/Amsterdam' },
  ])
    assert.deepEqual(scheduleOf(scheduleValues(stored)), stored)
})

test('schedules are described in words', () => {
  assert.equal(scheduleInWords(null), 'Manually')
  assert.equal(scheduleInWords({ cron: null, interval: 86400, time_zone: 'UTC' }), 'Every day')
  assert.equal(scheduleInWords({ cron: null, interval: 120, time_zone: 'UTC' }), 'Every 120 seconds')
  assert.equal(scheduleInWords({ cron: '0 3 * * *', interval: null, time_zone: 'UTC' }), 'Cron 0 3 * * * (UTC)')
})
