import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { typeOf } from './identity.ts'
import { demoRelationship } from './relationship.ts'

const word = fc.integer({ min: 0, max: 4_294_967_295 })

test('a relationship connects two different existing entities, with a key that the API accepts', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 2, max: 100_000 }), (seed, index, entityCount) => {
      const made = demoRelationship(seed, index, entityCount)
      assert.deepEqual(demoRelationship(seed, index, entityCount), made)
      assert.notEqual(made.source, made.target)
      for (const place of [made.source, made.target]) assert.ok(place >= 0 && place < entityCount)
      assert.match(made.key, /^[a-z0-9-]{1,256}$/)
    }),
  )
})

test('keys suit the types that they connect', () => {
  for (let index = 0; index < 2000; index++) {
    const { key, source, target } = demoRelationship(1, index, 10_000)
    if (key === 'sighting-of')
      assert.deepEqual([typeOf(1, source), typeOf(1, target)], ['vendor-sighting', 'indicator'])
    if (key === 'exploits') assert.deepEqual([typeOf(1, source), typeOf(1, target)], ['malware', 'exploit-target'])
  }
})

test('every entity has relationships, and a few have very many', () => {
  const targets = new Map<number, number>()
  for (let index = 0; index < 10_000; index++) {
    const { source, target } = demoRelationship(1, index, 10_000)
    assert.equal(source, index)
    targets.set(target, (targets.get(target) ?? 0) + 1)
  }
  assert.ok(Math.max(...targets.values()) > 300)
})

test('one entity alone has no relationship', () => {
  assert.throws(() => demoRelationship(1, 0, 1), RangeError)
})
