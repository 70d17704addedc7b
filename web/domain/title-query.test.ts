import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleQuery } from './title-query.ts'

test('entities are found by prefixes of all words in their title', () => {
  assert.equal(titleQuery('Fancy be'), 'meta.title:fancy* AND meta.title:be*')
  assert.equal(titleQuery('  wi-fi: "x'), 'meta.title:wi* AND meta.title:fi* AND meta.title:x*')
  assert.equal(titleQuery(' :"( '), undefined)
})

test('an address in a title is one word, defanged or not', () => {
  assert.equal(titleQuery('hugesoft[.]org'), 'meta.title:hugesoft.org*')
  assert.equal(titleQuery('hugesoft.org'), 'meta.title:hugesoft.org*')
  assert.equal(titleQuery('192.0.2[.]1'), 'meta.title:192.0.2.1*')
  assert.equal(titleQuery('APT1. Report'), 'meta.title:apt1* AND meta.title:report*')
})

test('the number of words in a query is limited', () => {
  assert.equal(titleQuery('word '.repeat(1000))?.split(' AND ').length, 20)
})
