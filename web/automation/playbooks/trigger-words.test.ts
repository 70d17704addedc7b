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
    'When an entity is created, of type report, that matches phishing, if tags changed',
  )
  assert.equal(triggerInWords(triggerOf('change', { collection: 'files' })), 'When a file is created or changed')
  assert.equal(triggerInWords(triggerOf('manual', { collection: 'observables' })), 'By hand, on observables')
})

test('times of each day or week are told in words', () => {
  const at = (cron: string) =>
    triggerInWords(triggerOf('schedule', { execution_schedule: { cron, interval: null, time_zone: 'UTC' } }))
  assert.equal(at('0 4 * * *'), 'Every day at 04:00 UTC, for entities')
  assert.equal(at('30 7 * * 1'), 'Every Monday at 07:30 UTC, for entities')
  assert.equal(at('*/5 * * * *'), 'Cron */5 * * * * (UTC), for entities')
})
