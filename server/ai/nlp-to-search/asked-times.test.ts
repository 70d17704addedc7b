import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSpan } from './asked-times.ts'

const time = (kind: 'last' | 'next' | 'calendar' | 'dates', more: object) => ({
  kind,
  amount: null,
  unit: null,
  from: null,
  to: null,
  ...more,
})

const shown = (asked: { at: string; zone: string }, said: ReturnType<typeof time>) => {
  const read = readSpan(said, { at: Date.parse(asked.at), zone: asked.zone })
  return 'fault' in read ? read.fault : [read.span.from, read.span.to, read.span.includesTo]
}

test('units of the calendar begin when the clocks of the installation say so', () => {
  // Sunday evening in UTC, Monday in Amsterdam; the clocks changed in the night before.
  const asked = { at: '2026-03-29T22:30:00Z', zone: 'Europe/Amsterdam' }
  const unit = (amount: number, name: string) => shown(asked, time('calendar', { amount, unit: name }))
  assert.deepEqual(unit(0, 'day'), ['2026-03-29T22:00:00Z', '2026-03-30T22:00:00Z', false])
  assert.deepEqual(unit(-1, 'day'), ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', false])
  assert.deepEqual(unit(-1, 'week'), ['2026-03-22T23:00:00Z', '2026-03-29T22:00:00Z', false])
  assert.deepEqual(unit(1, 'month'), ['2026-03-31T22:00:00Z', '2026-04-30T22:00:00Z', false])
  assert.deepEqual(unit(-1, 'quarter'), ['2025-09-30T22:00:00Z', '2025-12-31T23:00:00Z', false])
  assert.deepEqual(unit(0, 'year'), ['2025-12-31T23:00:00Z', '2026-12-31T23:00:00Z', false])
  assert.deepEqual(shown({ ...asked, zone: 'UTC' }, time('calendar', { amount: -1, unit: 'week' })), [
    '2026-03-16',
    '2026-03-22',
    true,
  ])
  // At midnight, the clocks skip an hour.
  assert.deepEqual(
    shown({ at: '2026-09-06T12:00:00Z', zone: 'America/Santiago' }, time('calendar', { amount: 0, unit: 'day' })),
    ['2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z', false],
  )
})

test('what counts from now stays relative, and dates are whole units', () => {
  const asked = { at: '2026-05-05T10:00:00Z', zone: 'UTC' }
  assert.deepEqual(shown(asked, time('last', { amount: 7, unit: 'day' })), ['now-7d', 'now', true])
  assert.deepEqual(shown(asked, time('next', { amount: 2, unit: 'quarter' })), ['now', 'now+6M', true])
  assert.deepEqual(shown(asked, time('dates', { from: '2025', to: '2025-02' })), ['2025-01-01', '2025-02-28', true])
  assert.deepEqual(shown(asked, time('dates', { from: '2025-02-03T04:05:06Z', to: null })), [
    '2025-02-03T04:05:06Z',
    null,
    false,
  ])
})

test('what is no time is refused', () => {
  const asked = { at: '2026-05-05T10:00:00Z', zone: 'UTC' }
  for (const wrong of [
    time('last', { amount: 1e9, unit: 'year' }),
    time('last', { amount: 9000, unit: 'year' }),
    time('last', { amount: 1, unit: 'constructor' }),
    time('calendar', { amount: 0.5, unit: 'day' }),
    time('calendar', { amount: 1, unit: 'hour' }),
    time('dates', { from: '2026-02-30' }),
    time('dates', { from: 'now-7d' }),
    time('dates', { from: '2026-01-01||+1M' }),
    time('dates', { from: '2026', to: '2025' }),
    time('dates', {}),
  ])
    assert.equal(typeof shown(asked, wrong), 'string', JSON.stringify(wrong))
})
