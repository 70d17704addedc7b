import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectInWords, effectParameters } from './rule-effects.ts'

test('effects are described with what was there before', () => {
  assert.equal(effectInWords({ kind: 'tag_added', value: 'banking' }), 'Tag added: banking')
  assert.equal(
    effectInWords({ kind: 'tlp', value: 'AMBER_STRICT', before: 'WHITE' }),
    'TLP changed from TLP:CLEAR to TLP:AMBER+STRICT',
  )
  assert.equal(effectInWords({ kind: 'tlp', value: 'RED', before: null }), 'TLP changed from no TLP to TLP:RED')
  assert.equal(effectInWords({ kind: 'alias', value: 'APT 1', before: 'APT1' }), 'Alias set: APT 1 (before: APT1)')
  assert.equal(effectInWords({ kind: 'converted', value: 'malware', before: 'ttp' }), 'Converted from ttp to malware')
})

test('only the chosen filters of effects are sent', () => {
  assert.deepEqual(effectParameters({ rule: 7, run: '' }), { 'filter[rule]': 7, sort: '-created_at', limit: 50 })
})
