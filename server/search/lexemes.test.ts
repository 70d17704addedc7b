import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  attackLexeme,
  dayLexeme,
  existsLexeme,
  keywordLexeme,
  numberLexeme,
  tagLexeme,
  taxonomyLexeme,
  textLexeme,
} from './lexemes.ts'

const visible = (lexeme: string): string => lexeme.replaceAll('\u001f', '␟')

test('every kind of lexeme has its own prefix', () => {
  assert.equal(visible(textLexeme('t', 'word')), 't␟word')
  assert.equal(visible(tagLexeme('Energy Sector')), 'g␟energy sector')
  assert.equal(visible(taxonomyLexeme(12)), 'x␟12')
  assert.equal(visible(attackLexeme('TA0001:T1566')), 'k␟ta0001:t1566')
  assert.equal(visible(existsLexeme('status')), '?␟status')
  assert.equal(visible(keywordLexeme('status', 'Ongoing')), '.status␟ongoing')
  assert.equal(visible(numberLexeme('score', 15)), '#score␟250115')
  assert.equal(visible(dayLexeme('seen.first', '2025-03-01')), '@seen.first␟2025-03-01')
})

test('no path in data is mistaken for a text field', () => {
  assert.notEqual(keywordLexeme('t', 'word'), textLexeme('t', 'word'))
})

test('a value of up to 200 bytes is stored in full, a longer one is hashed, ignoring case', () => {
  assert.equal(visible(keywordLexeme('a', 'X'.repeat(200))), `.a␟${'x'.repeat(200)}`)
  assert.match(visible(keywordLexeme('a', 'X'.repeat(201))), /^\.a␟#[0-9a-f]{16}$/)
  assert.equal(keywordLexeme('a', 'É'.repeat(101)), keywordLexeme('a', 'é'.repeat(101)))
  assert.notEqual(keywordLexeme('a', 'é'.repeat(101)), keywordLexeme('a', 'é'.repeat(102)))
})

test('a lexeme is always text that PostgreSQL accepts, with one separator', () => {
  const text = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) })
  const hostile = fc.oneof(text, fc.constantFrom('\0', '\u001f', 'a\u001fb', '\ud800', '__proto__', ''))
  fc.assert(
    fc.property(hostile, hostile, (path, value) => {
      for (const lexeme of [keywordLexeme(path, value), existsLexeme(path), tagLexeme(value)]) {
        assert.ok(lexeme.isWellFormed() && !lexeme.includes('\0'))
        assert.equal(lexeme.split('\u001f').length, 2)
      }
    }),
  )
})
