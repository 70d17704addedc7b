import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldModel, Kind } from './fields.ts'
import { FormFault, formOf, pathsOf, sentOf } from './values.ts'

const field = (name: string, kind: Kind, rest: Partial<FieldModel> = {}): FieldModel => ({
  name,
  label: name,
  kind,
  isRequired: false,
  isNullable: false,
  isReadOnly: false,
  ...rest,
})

const FIELDS = [
  field('name', 'text', { isRequired: true }),
  field('note', 'long-text', { isNullable: true }),
  field('days', 'number', { fallback: 30 }),
  field('secret', 'secret'),
  field('schedule', 'document', { isNullable: true, fields: [field('cron', 'text', { isNullable: true })] }),
  field('settings', 'json', { fallback: {} }),
]

test('a new object is sent with required fields and those that differ from their defaults', () => {
  const initial = formOf(FIELDS)
  assert.deepEqual(initial, { name: '', note: '', days: 30, secret: '', schedule: null, settings: '{}' })
  const values = { ...initial, name: 'Night', days: 7, schedule: { cron: '0 3 * * *' } }
  assert.deepEqual(sentOf(FIELDS, values, initial, true), { name: 'Night', days: 7, schedule: { cron: '0 3 * * *' } })
})

test('for an existing object only changes are sent, with null for cleared fields', () => {
  const initial = formOf(FIELDS, { name: 'Night', note: 'x', days: 7, secret: '<PASS_THROUGH_TOKEN>', schedule: null })
  assert.deepEqual(sentOf(FIELDS, initial, initial, false), {})
  assert.deepEqual(sentOf(FIELDS, { ...initial, note: '', days: '' }, initial, false), { note: null, days: null })
})

test('a secret is sent only if it was typed or removed', () => {
  const initial = formOf(FIELDS, { secret: '<PASS_THROUGH_TOKEN>' })
  assert.deepEqual(sentOf(FIELDS, { ...initial, secret: 'new' }, initial, false), { secret: 'new' })
  assert.deepEqual(sentOf(FIELDS, { ...initial, secret: null }, initial, false), { secret: null })
})

test('invalid JSON is an error at its field, and nothing is sent', () => {
  const initial = formOf(FIELDS, {})
  assert.throws(
    () => sentOf(FIELDS, { ...initial, settings: '{' }, initial, false),
    (error) => error instanceof FormFault && /^Invalid JSON/.test(error.faults.settings ?? ''),
  )
  assert.deepEqual(sentOf(FIELDS, { ...initial, settings: '{"a": [1]}' }, initial, false), { settings: { a: [1] } })
})

test('nested fields come before the fields that contain them', () => {
  assert.deepEqual(pathsOf(FIELDS), ['name', 'note', 'days', 'secret', 'schedule.cron', 'schedule', 'settings'])
})
