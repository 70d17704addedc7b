import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOf } from './names.ts'
import { unknownName } from './unknown-name.ts'

const SOURCE = 'http://corvus.test/api/v2/sources/019a95a2-6ad2-7f6a-8d5e-1c6e5c1f8a11'

test('an object whose name is not readable is shown as a word, not as its id', () => {
  assert.equal(nameOf(new Map(), SOURCE), 'Unknown source')
  assert.equal(nameOf(new Map(), `${SOURCE}?allowed_tlp=RED`), 'Unknown source')
  assert.equal(nameOf(new Map(), 'http://corvus.test/api/v2/users/1'), 'Another user')
  assert.equal(nameOf(new Map([['1', 'ada']]), 'http://corvus.test/api/v2/users/1?role=admin'), 'ada')
  assert.equal(unknownName('users/7'), 'Another user')
  assert.equal(unknownName('7'), 'Unknown')
})
