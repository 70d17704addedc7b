import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Made } from './made.ts'
import { madeFrom, strictestOf } from './strictest.ts'

const made = (tlp_color: string, inputs: readonly string[]): Made => ({
  tlp_color,
  generated_by: { feature: 'f', provider: 'p', model: 'm', prompt_hash: null, generated_at: '2026-11-09', inputs },
})

test('the most restricted colour is found', () => {
  assert.equal(strictestOf(['GREEN', 'AMBER', 'NONE']), 'AMBER')
  assert.equal(strictestOf([]), 'NONE')
})

test('a result that was made of another one is as restricted as both', () => {
  const later = madeFrom(made('RED', ['a', 'b']), made('NONE', ['b', 'c']))
  assert.deepEqual([later.tlp_color, later.generated_by.inputs], ['RED', ['a', 'b', 'c']])
  assert.equal(madeFrom(made('GREEN', []), made('AMBER', [])).tlp_color, 'AMBER')
})
