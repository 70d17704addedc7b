import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generateParser, parserFile } from '../../../scripts/grammar.ts'

test('the parser is the one that the grammar describes', () => {
  assert.ok(readFileSync(parserFile, 'utf8') === generateParser(), 'Run: node scripts/grammar.ts')
})
