import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { displayValue } from './defang.ts'
import { maskCard } from './types/card.ts'

test('a card shows its first six and its last four digits', () => {
  assert.equal(maskCard('4111111111111111'), '411111******1111')
  assert.equal(maskCard('378282246310005'), '378282*****0005')
  assert.equal(displayValue('card', '4111111111111111'), '411111******1111')
})

test('a mask keeps the length and never shows more than ten characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 40 }), (digits) => {
      const masked = maskCard(digits)
      assert.equal(masked.length, digits.length)
      assert.ok(masked.replaceAll('*', '').length <= 10)
      assert.ok(digits === '' || masked.includes('*'))
    }),
  )
})

test('other values are shown as they are, or defanged', () => {
  assert.equal(displayValue('domain', 'example.com'), 'example[.]com')
  assert.equal(displayValue('city', 'Amsterdam'), 'Amsterdam')
})
