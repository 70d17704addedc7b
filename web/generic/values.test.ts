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
  const begun = formOf(FIELDS)
  assert.deepEqual(begun, { name: '', note: '', days: 30, secret: '', schedule: null, settings: '{}' })
  const values = { ...begun, name: 'Night', days: 7, schedule: { cron: '0 3 * * *' } }
  assert.deepEqual(sentOf(FIELDS, values, begun, true), { name: 'Night', days: 7, schedule: { cron: '0 3 * * *' } })
})

test('for an existing object only changes are sent, with null for cleared fields', () => {
  const begun = formOf(FIELDS, { name: 'Night', note: 'x', days: 7, secret: '<PASS_THROUGH_TOKEN>', schedule: null })
  assert.deepEqual(sentOf(FIELDS, begun, begun, false), {})
  assert.deepEqual(sentOf(FIELDS, { ...begun, note: '', days: '' }, begun, false), { note: null, days: null })
})

test('a secret is sent only if it was typed or removed', () => {
  const begun = formOf(FIELDS, { secret: '<PASS_THROUGH_TOKEN>' })
  assert.deepEqual(sentOf(FIELDS, { ...begun, secret: 'new' }, begun, false), { secret: 'new' })
  assert.deepEqual(sentOf(FIELDS, { ...begun, secret: null }, begun, false), { secret: null })
})

test('invalid JSON is an error at its field, and nothing is sent', () => {
  const begun = formOf(FIELDS, {})
  assert.throws(
    () => sentOf(FIELDS, { ...begun, settings: '{' }, begun, false),
    (error) => error instanceof FormFault && /^Invalid JSON/.test(error.faults.settings ?? ''),
  )
  assert.deepEqual(sentOf(FIELDS, { ...begun, settings: '{"a": [1]}' }, begun, false), { settings: { a: [1] } })
})

test('nested fields come before the fields that contain them', () => {
  assert.deepEqual(pathsOf(FIELDS), ['name', 'note', 'days', 'secret', 'schedule.cron', 'schedule', 'settings'])
})
