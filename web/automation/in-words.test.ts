import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyOf, scopeInWords } from './in-words.ts'

test('alternatives are listed, and counted if there are many', () => {
  assert.equal(anyOf([]), '')
  assert.equal(anyOf(['a']), 'a')
  assert.equal(anyOf(['a', 'b', 'c', 'd']), 'a, b, c or d')
  assert.equal(anyOf(['a', 'b', 'c', 'd', 'e']), 'a, b, c or 2 more')
})

test('the scope of a rule names types, sources and colours', () => {
  assert.deepEqual(scopeInWords({ entity_types: [], sources: [], tlps: [] }), [])
  assert.deepEqual(
    scopeInWords({ entity_types: ['threat-actor', 'malware'], sources: ['Open feed'], tlps: ['WHITE', 'NONE'] }),
    ['Threat actor or Malware', 'from Open feed', 'TLP:CLEAR or no TLP'],
  )
})
