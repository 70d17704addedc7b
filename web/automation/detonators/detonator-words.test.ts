import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FormField } from './detonator-queries.ts'
import { countInWords, missingParameters, stateInWords } from './detonator-words.ts'

const field = (name: string, required: boolean): FormField => ({
  group: 'parameters',
  name,
  title: name.toUpperCase(),
  description: '',
  type: 'text',
  required,
})
const detonator = {
  state: 'ACTIVE',
  state_reason: null,
  ui_form_schema: [field('url', true), field('api_key', false)],
  parameters: { url: 'https://cape.example' },
  detonation_per_day_limit: 50,
  today_detonation_count: 3,
  is_consented: true,
} as const

test('an inactive detonator is not set up until all required parameters have values', () => {
  const inactive = { ...detonator, state: 'INACTIVE' } as const
  assert.equal(stateInWords(inactive).label, 'Inactive')
  const empty = { ...inactive, parameters: { url: null } }
  assert.deepEqual(missingParameters(empty), ['URL'])
  assert.equal(stateInWords(empty).label, 'Not set up')
  assert.equal(stateInWords(empty).remedy, 'To set it up, enter: URL.')
  assert.equal(stateInWords({ ...inactive, ui_form_schema: null }).label, 'Inactive')
})

test('an active detonator says that its limit is reached or its terms are not accepted', () => {
  assert.deepEqual(stateInWords(detonator), { label: 'Active', color: 'green', reason: null, remedy: null })
  assert.equal(stateInWords({ ...detonator, today_detonation_count: 50 }).label, 'Limit reached')
  assert.equal(stateInWords({ ...detonator, detonation_per_day_limit: null }).label, 'Active')
  assert.match(stateInWords({ ...detonator, is_consented: false }).remedy ?? '', /Accept its terms/)
})

test('a suspended detonator shows the reason and the remedy', () => {
  const { reason, remedy } = stateInWords({ ...detonator, state: 'SUSPENDED', state_reason: 'The key is wrong.' })
  assert.equal(reason, 'The key is wrong.')
  assert.equal(remedy, 'Correct its settings, then resume it.')
})

test('the count of today is shown against the limit', () => {
  assert.equal(countInWords(detonator), '3 of 50')
  assert.equal(countInWords({ detonation_per_day_limit: null, today_detonation_count: 3 }), '3, no limit')
})
