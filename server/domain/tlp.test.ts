import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isWithin, TLP, tlpOf, tlpRank } from './tlp.ts'

test('the colours of TLP 1 stand for themselves', () => {
  for (const colour of TLP) assert.equal(tlpOf(colour, 'RED'), colour)
})

test('the colours of TLP 2 become colours of TLP 1', () => {
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

test('ranks rise with the restriction, and say what is within what', () => {
  assert.deepEqual(TLP.map(tlpRank), [0, 1, 2, 3, 4])
  const colour = fc.constantFrom(...TLP)
  fc.assert(fc.property(colour, colour, (one, other) => isWithin(one, other) === tlpRank(one) <= tlpRank(other)))
})
