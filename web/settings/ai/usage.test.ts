import assert from 'node:assert/strict'
import { test } from 'node:test'
import { budgetUses, groupUsage, lastMonths, namesWith, type UsageRow } from './usage.ts'

const row = (change: Partial<UsageRow>): UsageRow => ({
  month: '2026-11',
  user: null,
  username: 'ada',
  feature: 'ai_translation',
  provider: 'ai-provider-ollama',
  model: 'small',
  requests: 1,
  errors: 0,
  prompt_tokens: 10,
  answer_tokens: 5,
  cost: 0.5,
  ...change,
})
const ROWS = [
  row({}),
  row({ feature: 'nlp_to_search', errors: 1, prompt_tokens: 100 }),
  row({ username: null, month: '2026-10' }),
  row({ username: null, feature: 'passages', prompt_tokens: 1000 }),
]
const NAMES = namesWith('Other users')
const shown = (by: Parameters<typeof groupUsage>[1]) =>
  groupUsage(ROWS, by, NAMES).map(({ name, requests, prompt_tokens }) => [name, requests, prompt_tokens])

test('usage is added up by user, by feature and by month', () => {
  assert.deepEqual(shown('user'), [
    ['Corvus', 1, 1000],
    ['ada', 2, 110],
    ['Other users', 1, 10],
  ])
  assert.deepEqual(shown('feature'), [
    ['Index of the assistant', 1, 1000],
    ['Search in words', 1, 100],
    ['Translation', 2, 20],
  ])
  assert.deepEqual(shown('month'), [
    ['2026-11', 3, 1110],
    ['2026-10', 1, 10],
  ])
  assert.deepEqual(shown('provider'), [['Ollama', 4, 1120]])
})

test('budgets are compared with what each user used of their provider', () => {
  const rows = [...ROWS.slice(0, 2), row({ username: 'bob', prompt_tokens: 195 })]
  const uses = budgetUses(rows, new Map([['ai-provider-ollama', 200]]), NAMES.user)
  assert.deepEqual(
    uses.map(({ user, tokens, budget }) => [user, tokens, budget]),
    [
      ['bob', 200, 200],
      ['ada', 120, 200],
    ],
  )
  assert.deepEqual(budgetUses(rows, new Map(), NAMES.user), [])
})

test('months are counted back over the turn of a year', () => {
  assert.deepEqual(lastMonths(new Date('2026-01-31T23:00:00Z'), 3), ['2026-01', '2025-12', '2025-11'])
})
