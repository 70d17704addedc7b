import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountPolicy } from './account-policy.ts'
import { brokenRules, hashPassword, verifyPassword } from './passwords.ts'

const policy = accountPolicy.schema.parse({})

test('a password that breaks several rules is rejected with all of them', () => {
  assert.deepEqual(brokenRules(policy, 'password', 'short'), [
    'password: must have at least 10 characters',
    'password: must contain an upper-case letter',
    'password: must contain a number',
    'password: must contain a special character',
  ])
  assert.deepEqual(brokenRules(policy, 'password', 'Ünïcode ßtraße 42!'), [])
})

test('a password matches only its own hash, in any Unicode normalisation form', async () => {
  const hash = await hashPassword('caf\u00e9 Noir 1!')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(await verifyPassword(hash, 'cafe\u0301 Noir 1!'), true)
  assert.equal(await verifyPassword(hash, 'cafe Noir 1!'), false)
})

test('without a hash, every password is wrong', async () => {
  assert.equal(await verifyPassword(null, ''), false)
  assert.equal(await verifyPassword(undefined, 'anything'), false)
})

test('a check without a hash takes about as long as with one', async () => {
  const hash = await hashPassword('Correct horse 1!')
  const time = async (stored: string | undefined) => {
    const begin = performance.now()
    await verifyPassword(stored, 'wrong')
    return performance.now() - begin
  }
  // Alternating the two and taking the fastest run of each cancels out other load on the machine.
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let i = 0; i < 9; i++) {
    known.push(await time(hash))
    unknown.push(await time(undefined))
  }
  const ratio = Math.min(...unknown) / Math.min(...known)
  assert.ok(ratio > 1 / 3 && ratio < 3, `${ratio} times as long`)
})

test('a flood of checks is rejected before it fills the memory', async () => {
  const flood = Array.from({ length: 150 }, () => verifyPassword(undefined, 'x').catch((error) => error.status))
  const results = await Promise.all(flood)
  assert.ok(results.filter((result) => result === 429).length >= 40)
  assert.ok(results.filter((result) => result === false).length >= 100)
})
