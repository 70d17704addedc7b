import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectInWords, effectParameters, named, ordered } from './rule-effects.ts'

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

test('taxonomies and datasets are named, with their id if the name is not readable', () => {
  const names = { taxonomies: new Map([['7', 'Sector/Bank']]), datasets: new Map([['7', 'Watched']]) }
  assert.equal(named({ kind: 'taxonomy_removed', value: 7 }, names).value, 'Sector/Bank')
  assert.equal(named({ kind: 'dataset_added', value: 7 }, names).value, 'Watched')
  assert.equal(named({ kind: 'dataset_added', value: 8 }, names).value, 'Dataset 8')
  assert.equal(named({ kind: 'tag_added', value: 'x' }, names).value, 'x')
})

test('a change of the colour comes first, and additions keep their order', () => {
  const kinds = ordered([
    { kind: 'tag_added', value: 'b' },
    { kind: 'alias', value: 'x' },
    { kind: 'tag_added', value: 'a' },
    { kind: 'tlp', value: 'RED' },
  ]).map(({ value }) => value)
  assert.deepEqual(kinds, ['RED', 'x', 'b', 'a'])
})
