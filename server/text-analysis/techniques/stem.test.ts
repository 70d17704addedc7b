import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stem } from './stem.ts'

const FAMILIES = [
  'encrypt encrypts encrypted encrypting encryption',
  'inject injects injected injecting injection injections',
  'execute executes executed executing execution',
  'create creates created creating creation',
  'compress compressed compresses compressing compression',
  'exfiltrate exfiltrated exfiltrating exfiltration',
  'persist persists persisted persistence persistent',
  'copy copies copied',
  'scan scans scanned scanning',
  'log logs logged logging',
]

test('the forms of a word are one term', () => {
  for (const family of FAMILIES) {
    const stems = new Set(family.split(' ').map(stem))
    assert.equal(stems.size, 1, `${family}: ${[...stems].join(' ')}`)
  }
})

test('different words stay different', () => {
  const words = [
    'process',
    'proxy',
    'product',
    'press',
    'user',
    'use',
    'port',
    'report',
    'registry',
    'register',
    'mail',
    'main',
  ]
  assert.equal(new Set(words.map(stem)).size, words.length)
})

test('identifiers and words of other languages stay as they are', () => {
  for (const word of ['lsass.exe', 'übernahme', 'x64', 'c', 'aa'.repeat(30), 'процессы']) assert.equal(stem(word), word)
})
