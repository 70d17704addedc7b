import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, faultNames, formOf, inputsOf } from './detonator-form-values.ts'
import type { Detonator, FormField } from './detonator-queries.ts'

const field = (name: string, type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  group: 'parameters',
  name,
  title: name,
  description: '',
  type,
  required: false,
  ...more,
})
const schema = [
  field('url', 'url', { required: true, description: 'The address.' }),
  field('api_key', 'secret'),
  field('report', 'choice', { default: 'json', choices: [{ value: 'json', title: 'Full report' }] }),
  field('timeout', 'number', { group: 'options' }),
]
const detonator = {
  ui_form_schema: schema,
  parameters: { url: 'https://cape.example', api_key: '<PASS_THROUGH_TOKEN>' },
  task_name: 'Laboratory',
  description: '',
  detonation_per_day_limit: 20,
  selected_extract_types: ['domain'],
  max_tlp: 'GREEN',
  tlp_color: null,
  source_reliability: null,
  cache_validity: 604_800,
  is_active: false,
} as unknown as Detonator

test('the fields of a schema become inputs of their part of the form', () => {
  assert.deepEqual(
    inputsOf(schema, 'parameters').map(({ name, kind, isRequired }) => [name, kind, isRequired]),
    [
      ['url', 'text', true],
      ['api_key', 'secret', false],
      ['report', 'choice', false],
    ],
  )
  assert.deepEqual(inputsOf(schema, 'parameters')[2]?.choices, [{ value: 'json', label: 'Full report' }])
  assert.deepEqual(
    inputsOf(schema, 'options').map(({ name }) => name),
    ['timeout'],
  )
})

test('a stored secret is sent back as it came, and a removed parameter as null', () => {
  const form = formOf(detonator)
  const kept = bodyOf(form, detonator).parameters
  assert.deepEqual(kept, { url: 'https://cape.example', api_key: '<PASS_THROUGH_TOKEN>', report: 'json' })
  const removed = bodyOf({ ...form, texts: { ...form.texts, api_key: '' } }, detonator).parameters
  assert.deepEqual(removed, { url: 'https://cape.example', api_key: null, report: 'json' })
})

test('an empty limit means none, and results are kept for hours', () => {
  const form = formOf(detonator)
  assert.equal(form.limit, '20')
  assert.equal(form.cacheHours, '168')
  const body = bodyOf({ ...form, limit: ' ', cacheHours: '1.5', maxTlp: '' }, detonator)
  assert.deepEqual(
    [body.detonation_per_day_limit, body.cache_validity, body.max_tlp, body.selected_extract_types],
    [null, 5_400, null, ['domain']],
  )
})

test('errors of parameters are shown at their inputs', () => {
  assert.deepEqual(faultNames(detonator).slice(0, 3), ['parameters.url', 'parameters.api_key', 'parameters.report'])
})
