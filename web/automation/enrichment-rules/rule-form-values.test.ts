import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnrichmentRule } from '../../api/resources.ts'
import { bodyOf, formOf, moved, NEW_RULE, scopeOf } from './rule-form-values.ts'

const url = (path: string) => `https://corvus.example/api/v2/${path}`

const rule: EnrichmentRule = {
  id: 1,
  name: 'Indicators',
  description: null,
  is_active: true,
  criteria: [{ entity_type: 'indicator', source: url('sources/abc'), tlp: null, without_tlp: false }],
  enrichers: [url('enrichers/3'), url('enrichers/1')],
  stop_at: 'high',
  is_retroactive: true,
  execution_schedule: { cron: null, interval: 86_400, time_zone: 'Europe/Amsterdam' },
  time_field: 'observed',
  time_period: 7,
  task: null,
  status: null,
  problem: null,
  enqueued_count: 0,
  last_enqueued_at: null,
  created_at: '2026-01-01T00:00:00Z',
  created_by: null,
  last_updated_at: '2026-01-01T00:00:00Z',
  last_updated_by: null,
}

test('a stored rule is sent back as it was, its enrichers in their order', () => {
  const { id: _, task, status, problem, enqueued_count, last_enqueued_at, ...rest } = rule
  const { created_at, created_by, last_updated_at, last_updated_by, ...fields } = rest
  assert.deepEqual(bodyOf(formOf(rule)), {
    ...fields,
    criteria: [{ entity_type: 'indicator', source: 'abc', tlp: null }],
    enrichers: [3, 1],
  })
})

test('a rule for new data only has no schedule and no period', () => {
  const body = bodyOf({ ...formOf(rule), isRetroactive: false })
  assert.deepEqual([body.execution_schedule, body.time_field, body.time_period], [null, null, null])
})

test('a TLP colour that is ignored counts as none', () => {
  const criteria = [{ entity_type: null, source: null, tlp: 'RED' as const, without_tlp: true }]
  assert.equal(formOf({ ...rule, criteria }).criteria[0]?.tlp, '')
})

test('an empty criterion matches everything', () => {
  assert.deepEqual(scopeOf(NEW_RULE).criteria, [{ entity_type: null, source: null, tlp: null }])
})

test('a cron schedule is kept as text', () => {
  const form = { ...formOf(rule), schedule: 'cron', cron: ' 0 3 * * * ' }
  assert.deepEqual(bodyOf(form).execution_schedule, {
    cron: '0 3 * * *',
    interval: null,
    time_zone: 'Europe/Amsterdam',
  })
})

test('moving an element beyond either end changes nothing', () => {
  assert.deepEqual(moved([1, 2, 3], 1, -1), [2, 1, 3])
  assert.deepEqual(moved([1, 2, 3], 1, 1), [1, 3, 2])
  assert.deepEqual(moved([1, 2, 3], 0, -1), [1, 2, 3])
  assert.deepEqual(moved([1, 2, 3], 2, 1), [1, 2, 3])
})
