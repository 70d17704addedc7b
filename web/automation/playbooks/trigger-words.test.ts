import assert from 'node:assert/strict'
import { test } from 'node:test'
import { triggerOf } from './editor/draft.ts'
import { triggerInWords } from './trigger-words.ts'

test('a trigger reads as a sentence', () => {
  assert.equal(triggerInWords(triggerOf('change')), 'When an entity is created or changed')
  assert.equal(
    triggerInWords(
      triggerOf('change', { kinds: ['create'], query: 'data.type:report AND phishing', changed_fields: ['meta.tags'] }),
    ),
    'When a report is created that matches phishing, if tags changed',
  )
  assert.equal(triggerInWords(triggerOf('change', { collection: 'files' })), 'When a file is created or changed')
  assert.equal(triggerInWords(triggerOf('manual', { collection: 'observables' })), 'By hand, on observables')
})

test('objects of a schedule are named in the plural', () => {
  const query = 'data.type:indicator AND relevancy:<0.1'
  const execution_schedule = { cron: '0 4 * * *', interval: null, time_zone: 'UTC' }
  assert.equal(
    triggerInWords(triggerOf('schedule', { query, execution_schedule })),
    'Every day at 04:00 UTC, for entities of type indicator that match relevancy:<0.1',
  )
})

test('times of each day or week are written in words', () => {
  const at = (cron: string) =>
    triggerInWords(triggerOf('schedule', { execution_schedule: { cron, interval: null, time_zone: 'UTC' } }))
  assert.equal(at('0 4 * * *'), 'Every day at 04:00 UTC, for entities')
  assert.equal(at('30 7 * * 1'), 'Every Monday at 07:30 UTC, for entities')
  assert.equal(at('*/5 * * * *'), 'Cron */5 * * * * (UTC), for entities')
})
