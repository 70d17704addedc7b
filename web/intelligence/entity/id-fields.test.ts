import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isIdField } from './id-fields.ts'

test('ids and references are shown unchanged, texts are not', () => {
  for (const name of ['id', 'idref', 'created_by_ref', 'object_refs', 'external_id']) assert.ok(isIdField(name), name)
  for (const name of ['title', 'url', 'references', 'identity', 'reference', 'external_references', 'grid'])
    assert.ok(!isIdField(name), name)
})
