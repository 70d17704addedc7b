import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutgoingFeed } from '../api/resources.ts'
import { scheduleValues } from '../forms/schedule.ts'
import { bodyOf, formOf, newFeed } from './feed-form-values.ts'

test('a schedule is an interval, a cron expression, or empty', () => {
  const schedule = (change: object) =>
    bodyOf('incoming', { ...newFeed('incoming', []), ...change }, []).execution_schedule
  assert.deepEqual(schedule({ schedule: '900' }), { cron: null, interval: 900, time_zone: 'UTC' })
  assert.deepEqual(schedule({ schedule: 'cron', cron: ' 0 3 * * * ' }), {
    cron: '0 3 * * *',
    interval: null,
    time_zone: 'UTC',
  })
  assert.equal(schedule({ schedule: 'never' }), null)
})

test('a stored outgoing feed survives a round trip through the form', () => {
  const body = {
    name: 'Blocklist',
    description: '',
    transport_type: 'eiq.outgoing-transports.http-push',
    transport_configuration: { url: 'https://siem.example/in', method: 'PUT', token: '<PASS_THROUGH_TOKEN>' },
    execution_schedule: { cron: null, interval: 3600, time_zone: 'UTC' },
    is_active: true,
    content_type: 'urn:oasis:stix:json:2.1',
    tlp_color_override: null,
    update_strategy: 'APPEND',
    datasets: [4],
    authorised_groups: [],
    entity_types: ['indicator'],
    consolidation: 'unified',
    include_relationships: true,
  }
  const stored = { ...body, datasets: ['http://x/api/v2/datasets/4'], id: 1 } as unknown as OutgoingFeed
  const text = { label: '', kind: 'text' as const }
  const fields = ['url', 'method', 'token'].map((name) => ({ ...text, name }))
  const transports = [{ type: body.transport_type, label: '', help: '', fields }]
  const sent = bodyOf('outgoing', formOf('outgoing', stored, transports), transports) as typeof body
  assert.deepEqual({ ...sent, transport_configuration: null }, { ...body, transport_configuration: null })
  assert.equal(sent.transport_configuration.token, '<PASS_THROUGH_TOKEN>')
  assert.equal(sent.transport_configuration.method, 'PUT')
})

test('the time zone of a stored schedule is kept', () => {
  const schedule = { cron: '0 3 * * *', interval: null, time_zone: 'Europe/Amsterdam' }
  const values = { ...newFeed('incoming', []), ...scheduleValues(schedule) }
  assert.deepEqual(bodyOf('incoming', values, []).execution_schedule, schedule)
})
