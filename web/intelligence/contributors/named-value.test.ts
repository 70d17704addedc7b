import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedValue } from './named-value.ts'

const names = { taxonomies: new Map([['7', 'Actors/State']]), sources: new Map([['s-1', 'MITRE']]) }

test('objects are shown by their names, or by their ids if the names are not known', () => {
  const url = (path: string) => `https://corvus.example/api/v2/${path}`
  assert.deepEqual(namedValue('meta.taxonomies', [url('taxonomies/7'), url('taxonomies/8')], names), [
    'Actors/State',
    '8',
  ])
  assert.deepEqual(namedValue('sources', [url('sources/s-1')], names), ['MITRE'])
  assert.deepEqual(namedValue('meta.attacks', [url('attacks/T1566')], names), ['T1566'])
})

test('linked objects are counted', () => {
  assert.equal(namedValue('observables', ['a', 'b'], names), '2 observables')
  assert.equal(namedValue('attachments', ['a'], names), '1 attachment')
})

test('TLP colours have their current names, and other values stay as they are', () => {
  assert.equal(namedValue('meta.tlp_color', 'WHITE', names), 'TLP:CLEAR')
  assert.deepEqual(namedValue('data.aliases', ['a'], names), ['a'])
})
