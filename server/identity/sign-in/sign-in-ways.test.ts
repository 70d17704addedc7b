import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { BASE, startApp } from '../../../test/app.ts'
import { openBrowser } from '../../../test/openid-browser.ts'
import { CLIENT, type Person, startOpenidProvider } from '../../../test/openid-provider.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startOpenidProvider>>
let path: string
before(async () => {
  corvus = await startApp(undefined, { environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  provider = await startOpenidProvider()
  const data = { name: 'Staff login', issuer: provider.issuer, ...CLIENT, is_enabled: true, creates_users: true }
  path = `identity-providers/${(await corvus.call('POST', 'identity-providers', { data })).body.data.id}`
})
after(async () => {
  await corvus.stop()
  await provider.stop()
})
beforeEach(async () => {
  await enforce(false)
  // Waits for a new time step, so that a code one step off does not become two steps off during the test.
  const left = 30_000 - (Date.now() % 30_000)
  if (left < 5000) await setTimeout(left)
})

const enforce = (two_factor_authn_enforced: boolean) =>
  corvus.call('PUT', 'configurations/account-policy', { data: { two_factor_authn_enforced } })

const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

async function signIn(person: Person) {
  provider.expect(person)
  const browser = openBrowser(corvus.app)
  assert.equal((await browser.signIn()).location, `${BASE}/`)
  const { limits } = (await browser.call('GET', 'session')).body.data
  return { browser, limits }
}

/** Sets up a second factor and returns its secret. */
async function setUp({ browser }: Awaited<ReturnType<typeof signIn>>): Promise<string> {
  const { body } = await browser.call('POST', 'users/self/two-factor')
  const code = codeOf(body.data.secret, -1)
  assert.equal((await browser.call('POST', 'users/self/two-factor/confirm', { data: { code } })).status, 200)
  return body.data.secret
}

const isFree = async ({ browser }: Awaited<ReturnType<typeof signIn>>) =>
  (await browser.call('GET', 'users/self/tokens')).status === 200

test('an enforced second factor counts as verified if the provider reports it in amr or acr', async () => {
  await enforce(true)
  assert.deepEqual((await signIn({ sub: 'a', amr: ['pwd', 'mfa'] })).limits, [])
  assert.deepEqual((await signIn({ sub: 'a', acr: 'mfa' })).limits, [])
  assert.deepEqual((await signIn({ sub: 'a', amr: ['pwd'], acr: 'loa1' })).limits, ['must_set_up_two_factor'])
  assert.deepEqual((await signIn({ sub: 'a' })).limits, ['must_set_up_two_factor'])
  await corvus.call('PATCH', path, { data: { second_factor_values: ['loa1'] } })
  assert.deepEqual((await signIn({ sub: 'a', acr: 'loa1' })).limits, [])
  assert.deepEqual((await signIn({ sub: 'a', amr: ['mfa'] })).limits, ['must_set_up_two_factor'])
  await corvus.call('PATCH', path, { data: { second_factor_values: [] } })
  assert.deepEqual((await signIn({ sub: 'a', amr: ['mfa'] })).limits, ['must_set_up_two_factor'])
  await corvus.call('PATCH', path, { data: { second_factor_values: null } })
})

test('a user who must set up a second factor does so and continues in the same session', async () => {
  await enforce(true)
  const session = await signIn({ sub: 'setter' })
  assert.equal(await isFree(session), false)
  await setUp(session)
  assert.equal(await isFree(session), true)
})

test('a user with a second factor here must enter a code, enforced or not, unless the provider verified one', async () => {
  const first = await signIn({ sub: 'holder' })
  assert.deepEqual(first.limits, [])
  const secret = await setUp(first)
  assert.deepEqual((await signIn({ sub: 'holder', amr: ['mfa'] })).limits, [])
  const session = await signIn({ sub: 'holder' })
  assert.deepEqual(session.limits, ['must_give_code'])
  const refused = await session.browser.call('GET', 'users/self/tokens')
  assert.equal(refused.status, 403)
  assert.equal(refused.body[0].detail, 'Enter the code of your second factor first.')
  const give = (code: string) => session.browser.call('POST', 'session/code', { data: { code } })
  assert.equal((await give('000000')).status, 403)
  assert.equal((await give(codeOf(secret, -1))).status, 403, 'a code that was already used')
  assert.equal(await isFree(session), false)
  assert.equal((await give(codeOf(secret))).status, 204)
  assert.equal(await isFree(session), true)
  assert.deepEqual((await session.browser.call('GET', 'session')).body.data.limits, [])
})

test('wrong codes count: the account is locked and the right code does not unlock it', async () => {
  const secret = await setUp(await signIn({ sub: 'guesser' }))
  const { browser } = await signIn({ sub: 'guesser' })
  const give = (code: string) => browser.call('POST', 'session/code', { data: { code } })
  for (let i = 0; i < 5; i++) assert.equal((await give('000000')).status, 403)
  assert.equal((await give(codeOf(secret))).status, 403)
  const { rows } = await corvus.pool.query(`select is_locked from users where username = 'guesser'`)
  assert.equal(rows[0].is_locked, true)
})

test('a recovery code works once', async () => {
  const session = await signIn({ sub: 'forgetful' })
  const { body } = await session.browser.call('POST', 'users/self/two-factor')
  const confirmed = await session.browser.call('POST', 'users/self/two-factor/confirm', {
    data: { code: codeOf(body.data.secret, -1) },
  })
  const [code] = confirmed.body.data.recovery_codes
  for (const status of [204, 403]) {
    const { browser } = await signIn({ sub: 'forgetful' })
    assert.equal((await browser.call('POST', 'session/code', { data: { code } })).status, status)
  }
})

test('entering a code requires a browser session and a second factor', async () => {
  assert.equal((await corvus.call('POST', 'session/code', { data: { code: '123456' } })).status, 403)
  assert.equal((await corvus.call('POST', 'session/code', { data: { code: '123456' } }, null)).status, 401)
  const { browser } = await signIn({ sub: 'without' })
  assert.equal((await browser.call('POST', 'session/code', { data: { code: '123456' } })).status, 403)
  assert.equal((await browser.call('POST', 'session/code', { data: {} })).status, 400)
})

test('a pending password change does not block users who sign in without a password', async () => {
  await signIn({ sub: 'changer' })
  await corvus.pool.query(`update users set must_change_password = true where username = 'changer'`)
  const session = await signIn({ sub: 'changer' })
  assert.deepEqual(session.limits, [])
  assert.equal(await isFree(session), true)
})
