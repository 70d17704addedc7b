import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReferenceField, unnamed } from './reference-queries.ts'

test('an object that has no name here is told by its type', () => {
  const hidden = (id: string) => unnamed({ id, kind: null, type: null })
  assert.equal(hidden('malware--1f2e'), 'Malware: not visible to you or unknown')
  assert.equal(hidden('{https://a.example/}x'), 'Object: not visible to you or unknown')
  assert.equal(unnamed({ id: 'x', kind: 'object', type: 'identity' }), 'Identity without a name')
})

test('fields that name objects are told by their endings', () => {
  for (const name of ['object_refs', 'created_by_ref']) assert.ok(isReferenceField(name))
  for (const name of ['references', 'id', 'external_references']) assert.ok(!isReferenceField(name))
})
