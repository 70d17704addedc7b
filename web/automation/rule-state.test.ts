import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsAttention, rulesShown, stateOf } from './rule-state.ts'

const rule = {
  id: 1,
  name: 'Amber',
  description: null,
  is_active: true,
  problem: null,
  warning: null,
  status: 'SUCCESS',
  task: null,
}

test('a problem is shown first, then that a rule is inactive, then a failed run, then a warning', () => {
  const all = { ...rule, problem: 'The query cannot be read.', warning: 'Two rules set the alias.', status: 'FAILURE' }
  assert.deepEqual(stateOf(all), { label: 'Not working', color: 'red', reason: 'The query cannot be read.' })
  assert.equal(stateOf({ ...all, problem: null, is_active: false }).label, 'Inactive')
  assert.equal(stateOf({ ...all, problem: null }).label, 'Last run failed')
  assert.equal(stateOf({ ...all, problem: null, status: null }).reason, 'Two rules set the alias.')
  assert.equal(stateOf({ ...rule, status: 'STARTED' }).label, 'Running')
  assert.equal(stateOf(rule).label, 'Active')
})

test('inactive rules need attention only if they have a problem', () => {
  assert.equal(needsAttention({ ...rule, is_active: false, warning: 'Old.' }), false)
  assert.equal(needsAttention({ ...rule, is_active: false, problem: 'Broken.' }), true)
})

test('a list of rules is narrowed by view and by text', () => {
  const rules = [
    rule,
    { ...rule, id: 2, name: 'Green', is_active: false },
    { ...rule, id: 3, name: 'Other', description: 'For amber sources', problem: 'Broken.' },
  ]
  const shown = (view: string, text = '') => rulesShown(rules, view, text).map(({ id }) => id)
  assert.deepEqual(shown(''), [1, 2, 3])
  assert.deepEqual(shown('inactive'), [2])
  assert.deepEqual(shown('attention'), [3])
  assert.deepEqual(shown('active', ' AMBER'), [1, 3])
})
