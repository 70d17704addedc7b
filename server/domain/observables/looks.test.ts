import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessType, LOOKS } from './guess.ts'
import { looksLike } from './looks.ts'

test('a typed value looks like the type that is guessed for it', () => {
  const values = [
    '192.0.2.1',
    'hxxps://a[.]example/p',
    'a@b.example',
    'a.example',
    'a'.repeat(64),
    'CVE-2024-1000',
    'x.exe',
  ]
  for (const value of values) assert.equal(looksLike(value, LOOKS), guessType(value), value)
})

test('a single word has no type yet', () => {
  for (const value of ['', ' ', 'heron', '1.2', 'two words', 'e.g.'])
    assert.equal(looksLike(value, LOOKS), undefined, value)
})
