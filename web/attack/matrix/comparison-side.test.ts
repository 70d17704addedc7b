import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSide, sideOf } from './comparison-side.ts'

test('a scope is a side, and a side has its kind and ids', () => {
  assert.equal(sideOf({ kind: 'all', value: '' }), 'all')
  assert.equal(sideOf({ kind: 'entities', value: 'a,b' }), 'entities:a,b')
  assert.deepEqual(readSide('entities:a,b'), { kind: 'entities', ids: ['a', 'b'] })
  assert.deepEqual(readSide('all'), { kind: 'all', ids: [] })
  assert.deepEqual(readSide('dataset:7'), { kind: 'dataset', ids: ['7'] })
})
