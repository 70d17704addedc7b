import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiDocument } from '../api/document.ts'
import type { Schema } from '../api/schema.ts'
import { fieldLabel, fieldsOf, labelOf } from './fields.ts'

const DOCUMENT: ApiDocument = {
  info: { version: '1' },
  tags: [],
  paths: {},
  components: { schemas: { Colour: { type: 'string', enum: ['red', 'green'] } } },
}

const kindsOf = (properties: Record<string, Schema>) =>
  Object.fromEntries(fieldsOf({ properties }, DOCUMENT).map(({ name, kind }) => [name, kind]))

test('the schema determines the kind of a field', () => {
  assert.deepEqual(
    kindsOf({
      text: { type: 'string', maxLength: 500 },
      long: { type: 'string', maxLength: 1_000_000 },
      number: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      truth: { type: ['boolean', 'null'] },
      colour: { $ref: '#/components/schemas/Colour' },
      colours: { type: 'array', items: { $ref: '#/components/schemas/Colour' } },
      at: { type: 'string', format: 'date-time' },
      user: { anyOf: [{ type: 'string' }, { type: 'integer' }], 'x-corvus-collection': 'users' },
      users: { type: 'array', items: { type: 'string' }, 'x-corvus-collection': 'users' },
      tags: { type: 'array', items: { type: 'string' } },
      password: { type: 'string', writeOnly: true },
      key: { type: 'string', format: 'password' },
      schedule: { anyOf: [{ type: 'object', properties: { cron: { type: 'string' } } }, { type: 'null' }] },
      free: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: {} },
      union: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    }),
    {
      text: 'text',
      long: 'long-text',
      number: 'number',
      truth: 'boolean',
      colour: 'choice',
      colours: 'choices',
      at: 'time',
      user: 'reference',
      users: 'references',
      tags: 'texts',
      password: 'secret',
      key: 'secret',
      schedule: 'document',
      free: 'json',
      union: 'json',
    },
  )
})

test('descriptions of choices are attached to each choice', () => {
  const description = 'red: Stops it. green: Lets it pass; see red. '
  const [field] = fieldsOf(
    { properties: { colour: { type: 'string', enum: ['red', 'green'], description } } },
    DOCUMENT,
  )
  assert.deepEqual(field?.notes, { red: 'Stops it.', green: 'Lets it pass; see red.' })
  assert.equal(field?.description, undefined)
})

test('API names are shown as labels', () => {
  assert.deepEqual(['csv_mapping', 'task-runs', 'tlp_color'].map(labelOf), ['CSV mapping', 'Task runs', 'TLP color'])
  assert.deepEqual(['is_active', 'last_login_at', 'firstname', 'at'].map(fieldLabel), [
    'Active',
    'Last login',
    'First name',
    'At',
  ])
})
