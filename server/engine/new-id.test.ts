import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from './new-id.ts'

test('ids are UUIDs of version 7, all different, each later than the one before', () => {
  const ids = Array.from({ length: 50_000 }, newId)
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  assert.deepEqual(
    ids.filter((id) => !form.test(id)),
    [],
  )
  assert.deepEqual(ids, [...new Set(ids)].sort())
})
