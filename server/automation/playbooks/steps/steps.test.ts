import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OBJECT_COLLECTIONS } from '../step.ts'
import { listKinds } from '../step-kinds.ts'
import { OWN_MEMBERS } from '../stored-step.ts'
import { stepKinds } from './steps.ts'

const KINDS =
  'condition enrich detonate extract tag classify set rate add_to remove_from create_entity ticket comment notify mail webhook export stop'

test('every kind of steps is there once', () => {
  assert.equal(stepKinds.map(({ kind }) => kind).join(' '), KINDS)
})

for (const { kind, title, description, outcomes, collections, parameters, templates } of stepKinds) {
  test(`editors learn everything about ${kind}`, () => {
    const names = Object.keys(parameters.shape)
    assert.deepEqual(
      names.filter((name) => OWN_MEMBERS.includes(name)),
      [],
      'parameters do not hide members of steps',
    )
    assert.ok(templates.every((name) => names.includes(name)))
    assert.match(title, /^[A-Z][^.]*$/)
    for (const text of [description, ...Object.values(outcomes)]) assert.match(text, /^[A-Z][\s\S]*\.$/, text)
    assert.ok(Object.keys(outcomes).every((word) => /^[a-z_]+$/.test(word)))
    assert.ok(collections.length > 0 && collections.every((each) => OBJECT_COLLECTIONS.includes(each)))
  })
}

test('every parameter has a schema, and references name their collection', () => {
  const schemas = new Map(
    listKinds().map(({ kind, parameters }) => [kind, parameters.properties as Record<string, object>]),
  )
  const { datasets, workspaces } = schemas.get('add_to') ?? {}
  assert.partialDeepStrictEqual(datasets, { type: 'array', items: { 'x-corvus-collection': 'datasets' } })
  assert.partialDeepStrictEqual(workspaces, { items: { 'x-corvus-collection': 'workspaces' } })
  assert.match(JSON.stringify(schemas.get('ticket')?.assignee), /"x-corvus-collection":"users"/)
  assert.partialDeepStrictEqual(schemas.get('webhook')?.url, { type: 'string', format: 'uri' })
  for (const [kind, properties] of schemas) {
    for (const [name, schema] of Object.entries(properties)) {
      assert.ok(Object.keys(schema).length > 0, `${kind}.${name}`)
    }
  }
})
