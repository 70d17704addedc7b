import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReferenceField, unnamed } from './reference-queries.ts'

test('an object without a visible name is described by its type', () => {
  const hidden = (id: string) => unnamed({ id, kind: null, type: null })
  assert.equal(hidden('malware--1f2e'), 'Malware: not visible or unknown')
  assert.equal(hidden('{https://a.example/}x'), 'Object: not visible or unknown')
  assert.equal(unnamed({ id: 'x', kind: 'object', type: 'identity' }), 'Unnamed identity')
})

test('reference fields are recognised by their suffix', () => {
  for (const name of ['object_refs', 'created_by_ref']) assert.ok(isReferenceField(name))
  for (const name of ['references', 'id', 'external_references']) assert.ok(!isReferenceField(name))
})
