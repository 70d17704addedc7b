import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { idSet } from './id-set.ts'

const anyId = fc.tuple(fc.constantFrom('file', 'url', 'x-own'), fc.uuid()).map(([type, uuid]) => `${type}--${uuid}`)
const given = fc.constantFrom(
  'file--00000000-0000-0000-0000-000000000000',
  'file--0000000a-0000-0000-0000-000000000000',
  'file--0000000A-0000-0000-0000-000000000000',
  '0000000a-0000-0000-0000-000000000000',
  'file--',
  '',
)

test('an id set contains what was added, like a Set of strings', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyId, given)), (ids) => {
      const [set, texts] = [idSet(), new Set<string>()]
      for (const id of ids) {
        assert.equal(set.has(id), texts.has(id))
        assert.equal(set.add(id), !texts.has(id))
        texts.add(id)
        assert.ok(set.has(id))
      }
    }),
  )
})

test('an id set grows, and distinguishes ids that differ only in type', () => {
  const set = idSet()
  const uuid = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
  for (let n = 0; n < 20_000; n++) assert.ok(set.add(`file--${uuid(n)}`))
  for (let n = 0; n < 20_000; n++) assert.ok(!set.add(`file--${uuid(n)}`) && !set.has(`url--${uuid(n)}`))
})
