import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attentionOfEnrichers, attentionOfRules, sorted, type WatchedEnricher } from './attention.ts'

const enricher: WatchedEnricher = {
  id: 1,
  name: 'Look-up',
  is_active: true,
  state: 'ACTIVE',
  state_reason: '',
  quota: [{ seconds: 60, calls: 4, used: 1, left: 3, resets_at: null }],
  task: null,
}
const used = [{ seconds: null, calls: 4, used: 4, left: 0, resets_at: null }]
const rule = { id: 7, name: 'Amber', description: null, is_active: true, problem: null, status: null, task: null }

test('suspended enrichers and those at a limit need attention, healthy and inactive ones do not', () => {
  const found = attentionOfEnrichers([
    enricher,
    { ...enricher, id: 2, quota: used },
    { ...enricher, id: 3, quota: used, is_active: false },
    { ...enricher, id: 4, state: 'SUSPENDED', state_reason: 'The key was refused.', quota: used },
  ])
  assert.deepEqual(
    found.map(({ to, label, reason }) => [to, label, reason]),
    [
      ['/enrichers/2', 'Limit reached', 'All calls of a limit are used up.'],
      ['/enrichers/4', 'Suspended', 'The key was refused.'],
    ],
  )
})

test('what does not work at all comes before limits and warnings', () => {
  const rules = [
    { ...rule, warning: 'Two rules set the alias.' },
    { ...rule, id: 8, name: 'Broken', problem: 'The query cannot be read.' },
    { ...rule, id: 9, name: 'Fine' },
  ]
  const all = sorted([
    ...attentionOfRules(rules, 'Entity rule', '/entity-rules'),
    ...attentionOfEnrichers([{ ...enricher, quota: used }]),
  ])
  assert.deepEqual(
    all.map(({ to }) => to),
    ['/entity-rules/8', '/enrichers/1', '/entity-rules/7'],
  )
})
