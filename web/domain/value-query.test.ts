import assert from 'node:assert/strict'
import { test } from 'node:test'
import { valueQuery } from './value-query.ts'

test('observables are found by the start of their value, defanged or not', () => {
  assert.equal(valueQuery('evil[.]example'), 'value:evil.example*')
  assert.equal(valueQuery('hxxps[:]//a.b/?x=1'), 'value:https\\:\\/\\/a.b\\/\\?x\\=1*')
  assert.equal(valueQuery('user(at)host(dot)example'), 'value:user@host.example*')
  assert.equal(valueQuery('2001[:]db8[:][:]1'), 'value:2001\\:db8\\:\\:1*')
  assert.equal(valueQuery('192.0.2[.]1'), 'value:192.0.2.1*')
  assert.equal(valueQuery('two words'), '')
  assert.equal(valueQuery(''), '')
})
