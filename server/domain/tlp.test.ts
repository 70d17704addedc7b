import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TLP, tlpOf, tlpRank } from './tlp.ts'

test('TLP 1 colours are unchanged', () => {
  for (const colour of TLP) assert.equal(tlpOf(colour, 'RED'), colour)
})

test('TLP 2 colours become TLP 1 colours', () => {
  assert.equal(tlpOf('CLEAR', 'RED'), 'WHITE')
  assert.equal(tlpOf('AMBER_STRICT', 'RED'), 'RED')
  assert.equal(tlpOf('AMBER_STRICT', 'AMBER'), 'AMBER')
})

test('no colour is NONE', () => {
  assert.equal(tlpOf(null, 'RED'), 'NONE')
  assert.equal(tlpOf(undefined, 'AMBER'), 'NONE')
})

test('an unknown colour is the most restricted one', () => {
  for (const colour of ['', 'PURPLE', 'white', 'constructor']) assert.equal(tlpOf(colour, 'AMBER'), 'RED')
})

test('ranks increase with the restriction', () => {
  assert.deepEqual(TLP.map(tlpRank), [0, 1, 2, 3, 4])
})
