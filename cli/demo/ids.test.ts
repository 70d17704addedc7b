import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createIds, isUuid } from './ids.ts'

test('ids are kept at their index', () => {
  fc.assert(
    fc.property(fc.array(fc.uuid(), { minLength: 1 }), (uuids) => {
      const ids = createIds(uuids.length)
      for (const [i, id] of uuids.entries()) ids.set(i, id)
      assert.deepEqual(
        uuids.map((_, i) => ids.get(i)),
        uuids,
      )
      assert.ok(uuids.every(isUuid))
    }),
  )
})

test('an invalid UUID is recognised', () => {
  for (const id of [undefined, null, 7, '', 'x', `${'0'.repeat(8)}-0000-0000-0000-00000000000g`]) assert.ok(!isUuid(id))
})
