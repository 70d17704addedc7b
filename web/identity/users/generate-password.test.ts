import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatePassword } from './generate-password.ts'

test('generated passwords satisfy every rule of the account policy and are unique', () => {
  const made = Array.from({ length: 200 }, generatePassword)
  for (const rule of [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d]/, /^.{20}$/])
    assert.ok(made.every((each) => rule.test(each)))
  assert.equal(new Set(made).size, made.length)
})
