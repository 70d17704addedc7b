import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleQuery } from './title-query.ts'

test('entities are looked for by the beginnings of all words of their title', () => {
  assert.equal(titleQuery('Fancy be'), 'meta.title:fancy* AND meta.title:be*')
  assert.equal(titleQuery('  wi-fi: "x'), 'meta.title:wi* AND meta.title:fi* AND meta.title:x*')
  assert.equal(titleQuery(' :"( '), undefined)
})

test('an address in a title is one word, typed as it is or defanged', () => {
  assert.equal(titleQuery('hugesoft[.]org'), 'meta.title:hugesoft.org*')
  assert.equal(titleQuery('hugesoft.org'), 'meta.title:hugesoft.org*')
  assert.equal(titleQuery('192.0.2[.]1'), 'meta.title:192.0.2.1*')
  assert.equal(titleQuery('APT1. Report'), 'meta.title:apt1* AND meta.title:report*')
})

test('the words of a whole text are cut off somewhere', () => {
  assert.equal(titleQuery('word '.repeat(1000))?.split(' AND ').length, 20)
})
