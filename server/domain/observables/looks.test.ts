import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessType, LOOKS } from './guess.ts'
import { looksLike } from './looks.ts'

test('what somebody types looks like what it is guessed to be in the end', () => {
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

test('a word alone looks like nothing yet', () => {
  for (const value of ['', ' ', 'heron', '1.2', 'two words', 'e.g.'])
    assert.equal(looksLike(value, LOOKS), undefined, value)
})
