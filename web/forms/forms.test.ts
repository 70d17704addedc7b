import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallError } from '../api/call.ts'
import type { Schema } from '../api/schema.ts'
import { faultsIn, faultsInside, faultsOutside, faultText } from './field-faults.ts'
import { kindOf } from './field-kind.ts'
import { labelOf } from './labels.ts'
import { patchOf } from './patch.ts'
import { isSame, pathText, withValue } from './paths.ts'

test('changing a value at a path keeps all other parts of the document identical', () => {
  const whole = { a: { b: [{ c: 1 }, { c: 2 }] }, d: {} }
  const changed = withValue(whole, ['a', 'b', 1, 'c'], 3) as typeof whole
  assert.deepEqual(changed, { a: { b: [{ c: 1 }, { c: 3 }] }, d: {} })
  assert.equal(changed.d, whole.d)
  assert.equal(changed.a.b[0], whole.a.b[0])
  assert.deepEqual(withValue(whole, ['a'], undefined), { d: {} })
  assert.deepEqual(withValue(undefined, ['a', 0, 'b'], 1), { a: [{ b: 1 }] })
  assert.equal(pathText(['data', 'victims', 0, 'name']), 'data.victims[0].name')
})

test('absent and undefined are equal, null is not', () => {
  assert.ok(isSame({ a: 1, b: undefined }, { a: 1 }))
  assert.ok(!isSame({ a: null }, {}))
  assert.ok(!isSame([1, 2], [2, 1]))
})

test('a patch contains what changed, with null for removed keys', () => {
  assert.deepEqual(patchOf({ a: 1, b: { c: 1, d: 2 }, e: [1] }, { b: { c: 1, d: 3 }, e: [1, 2] }), {
    a: null,
    b: { d: 3 },
    e: [1, 2],
  })
  assert.equal(patchOf({ a: { b: 1 } }, { a: { b: 1 } }), undefined)
})

const refused = (...details: string[]) =>
  new CallError(
    400,
    details.map((detail) => ({ status: 400, title: 'Bad Request', detail })),
  )

test('errors are shown at their fields, with and without the wrapper of the request', () => {
  const error = refused('data.data.victims[0].name: is required', 'data.title: must have at least 1 character', 'No.')
  const faults = faultsIn(error, ['data', 'meta'])
  assert.deepEqual(
    faults.map(({ path }) => path),
    ['data.victims[0].name', 'data.title', ''],
  )
  assert.equal(faultsInside(faults, ['data', 'victims']).length, 1)
  assert.equal(faultsInside(faults, ['data', 'vict']).length, 0)
  assert.deepEqual(
    faultsOutside(faults, [
      ['data', 'victims'],
      ['data', 'title'],
    ]),
    [{ path: '', text: 'No.' }],
  )
  assert.equal(faultText(faultsInside(faults, ['data', 'victims']), ['data', 'victims']), '[0].name: is required')
})

test('the schema determines the input of a field, and the value decides if the schema leaves a choice', () => {
  const record: Schema = { type: 'object', properties: { type: { const: 'x' }, value: { type: 'string' } } }
  const kind = (schema: Schema, value?: unknown, name = 'field') => kindOf({ Record: record }, schema, name, value).kind
  const either = { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Record' }] }
  assert.equal(kind(either), 'text')
  assert.equal(kind(either, { value: 'x' }), 'record')
  assert.equal(kind({ type: 'array', items: either }, ['a']), 'words')
  assert.equal(kind({ type: 'array', items: either }, [{ value: 'a' }]), 'list')
  assert.equal(kind({ type: ['string', 'null'] }, undefined, 'first_seen'), 'time')
  assert.equal(kind({ anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] }), 'choice')
  assert.equal(kind({ type: 'object', properties: {} }), 'json')
  assert.equal(kind({ type: 'array', items: {} }, [1]), 'json')
  assert.equal(kind({ type: 'string', format: 'date' }), 'day')
  assert.equal(kind({}), 'json')
})

test('field names are shown as words', () => {
  assert.equal(labelOf('kill_chain_phases'), 'Kill chain phases')
  assert.equal(labelOf('cve_id'), 'CVE ID')
})
