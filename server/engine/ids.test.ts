import assert from 'node:assert/strict'
import { test } from 'node:test'
import { validate, version } from 'uuid'
import { makeId } from './ids.ts'

test('ids are UUIDs of version 7, each later than the one before', () => {
  const ids = Array.from({ length: 20_000 }, makeId)
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.every((id) => validate(id) && version(id) === 7))
})
