import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OBSERVABLE_TYPES, observableTypeOf } from './types.ts'

test('every type exists once, in order', () => {
  assert.deepEqual([...OBSERVABLE_TYPES], [...new Set(OBSERVABLE_TYPES)].sort())
})

test('a type is found only by its name or its alias', () => {
  assert.equal(observableTypeOf('ipv4'), 'ipv4')
  assert.equal(observableTypeOf('fox-it-portal-uri'), 'vendor-portal-uri')
  for (const name of ['', 'IPv4', 'ip', 'toString', '__proto__']) assert.equal(observableTypeOf(name), undefined)
})
