import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { longestGap, nextTime, type Schedule, schedule } from './schedule.ts'

const daily = (cron: string, time_zone = 'Europe/Amsterdam'): Schedule => ({ cron, interval: null, time_zone })
const every = (interval: number): Schedule => ({ cron: null, interval, time_zone: 'UTC' })

/** The times of a task that runs on schedule, starting at `from`. */
function times(plan: Schedule, from: string, count: number): string[] {
  const result: string[] = []
  for (let slot = new Date(from); result.length < count; ) {
    slot = nextTime(plan, slot, slot)
    result.push(slot.toISOString())
  }
  return result
}

test('a schedule is a cron expression or an interval, and defaults are filled in', () => {
  assert.deepEqual(schedule.parse({ cron: '0 3 * * *' }), { cron: '0 3 * * *', interval: null, time_zone: 'UTC' })
  assert.deepEqual(schedule.parse({ interval: 60, time_zone: 'Asia/Tokyo' }), {
    cron: null,
    interval: 60,
    time_zone: 'Asia/Tokyo',
  })
})

test('every invalid field of a schedule is named', () => {
  const faults = (given: unknown) => schedule.safeParse(given).error?.issues.map(({ path }) => path.join('.')) ?? []
  assert.deepEqual(faults({ cron: '61 * * * *', time_zone: 'Mars/Olympus' }), ['cron', 'time_zone'])
  assert.deepEqual(faults({ interval: 1, time_zone: 'Mars/Olympus' }), ['interval', 'time_zone'])
  assert.deepEqual(faults({}), ['cron'])
  assert.deepEqual(faults({ cron: '* * * * *', interval: 60 }), ['cron'])
  for (const time_zone of ['', '+02:00', 'UTC+2', 7])
    assert.deepEqual(faults({ interval: 60, time_zone }), ['time_zone'])
  for (const interval of [9, 10.5, -60, '60']) assert.deepEqual(faults({ interval }), ['interval'])
})

test('a cron expression must have five fields, be valid, and have a next time', () => {
  const isTaken = (cron: string) => schedule.safeParse({ cron }).success
  for (const cron of ['* * * * *', '*/5 9-17 * * MON-FRI', '0 0 L * *', '0 0 * * 1#1', '0 0 29 2 *'])
    assert.ok(isTaken(cron), cron)
  const bad = [
    '',
    '* * *',
    '* * * * * *',
    '@daily',
    'x * * * *',
    'H * * * *',
    'H/5 * * * *',
    '0 0 30 2 *',
    '*/0 * * * *',
    '5-1 * * * *',
  ]
  for (const cron of bad) assert.ok(!isTaken(cron), cron)
})

test('a daily time stays the same in local time across clock changes', () => {
  assert.deepEqual(times(daily('0 9 * * *'), '2026-03-27T12:00:00Z', 3), [
    '2026-03-28T08:00:00.000Z',
    '2026-03-29T07:00:00.000Z',
    '2026-03-30T07:00:00.000Z',
  ])
})

test('a time skipped by a clock change comes later that day, once', () => {
  assert.deepEqual(times(daily('30 2 * * *'), '2026-03-28T12:00:00Z', 2), [
    '2026-03-29T01:30:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ])
})

test('a time repeated by a clock change comes once, even if the first occurrence was missed', () => {
  const plan = daily('30 2 * * *')
  assert.deepEqual(times(plan, '2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'])
  const served = nextTime(plan, new Date('2026-10-25T00:30:00Z'), new Date('2026-10-25T01:10:00Z'))
  assert.equal(served.toISOString(), '2026-10-26T01:30:00.000Z')
})

test('every hour means every hour of a day with 25 hours', () => {
  assert.equal(times(daily('0 * * * *'), '2026-10-24T22:00:00Z', 25).at(-1), '2026-10-25T23:00:00.000Z')
})

test('the next time is in the future, and an interval keeps its phase after missed runs', () => {
  const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 31_536_000 }), moment, moment, (interval, a, b) => {
      const [slot, now] = a < b ? [a, b] : [b, a]
      const next = nextTime(every(interval), slot, now)
      assert.ok(next > now && next.getTime() - now.getTime() <= interval * 1000)
      assert.equal((next.getTime() - slot.getTime()) % (interval * 1000), 0)
    }),
  )
})

test('the next time of a cron expression is found quickly after years without runs', () => {
  const began = performance.now()
  nextTime(daily('* * * * *'), new Date('2000-01-01'), new Date('2026-01-01'))
  assert.ok(performance.now() - began < 500)
})

test('the longest gap is the interval, or the longest one between the next times', () => {
  const now = new Date('2026-03-04T12:00:00Z')
  assert.equal(longestGap(every(90), now), 90)
  assert.equal(longestGap(daily('0 3 * * *', 'UTC'), now), 86_400)
  assert.equal(longestGap(daily('0 3 * * 1-5', 'UTC'), now), 3 * 86_400)
  assert.equal(longestGap(daily('0,10 * * * *', 'UTC'), now), 3000)
  assert.equal(longestGap(daily('0 0 1 1 *', 'UTC'), now), 366 * 86_400)
})
