import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountPolicy } from './account-policy.ts'
import { brokenRules, hashPassword, verifyPassword } from './passwords.ts'

const policy = accountPolicy.schema.parse({})

test('a password that breaks every rule is told all of them', () => {
  assert.deepEqual(brokenRules(policy, 'password', 'short'), [
    'password: must have at least 10 characters',
    'password: must have a capital letter',
    'password: must have a number',
    'password: must have a special character',
  ])
  assert.deepEqual(brokenRules(policy, 'password', 'Ünïcode ßtraße 42!'), [])
})

test('a password fits its own hash only, in whichever form its letters are written', async () => {
  const hash = await hashPassword('caf\u00e9 Noir 1!')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(await verifyPassword(hash, 'cafe\u0301 Noir 1!'), true)
  assert.equal(await verifyPassword(hash, 'cafe Noir 1!'), false)
})

test('without a hash, no password is right', async () => {
  assert.equal(await verifyPassword(null, ''), false)
  assert.equal(await verifyPassword(undefined, 'anything'), false)
})

test('without a hash, checking takes about as long as with one', async () => {
  const hash = await hashPassword('Correct horse 1!')
  const time = async (stored: string | undefined) => {
    const begin = performance.now()
    await verifyPassword(stored, 'wrong')
    return performance.now() - begin
  }
  // In turns, and the fastest of each: whatever else the machine does hits both.
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let i = 0; i < 9; i++) {
    known.push(await time(hash))
    unknown.push(await time(undefined))
  }
  const ratio = Math.min(...unknown) / Math.min(...known)
  assert.ok(ratio > 1 / 3 && ratio < 3, `${ratio} times as long`)
})

test('a flood is turned away before it fills the memory', async () => {
  const flood = Array.from({ length: 150 }, () => verifyPassword(undefined, 'x').catch((error) => error.status))
  const results = await Promise.all(flood)
  assert.ok(results.filter((result) => result === 429).length >= 40)
  assert.ok(results.filter((result) => result === false).length >= 100)
})
