import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { startApp } from '../../../test/app.ts'
import { type Browser, signIn } from '../../../test/browser.ts'

const WRONG = 'The username, password or code is wrong, or the account is locked.'
const PASSWORD = 'Correct horse 1!'

let corvus: Awaited<ReturnType<typeof startApp>>
let secret: string
let recoveryCodes: string[]
let browser: Browser

/** The code that the app shows now, or some steps later. */
const code = (steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

before(async () => {
  corvus = await startApp()
  await corvus.call('POST', 'users', { data: { username: 'ada', password: PASSWORD } })
  browser = await signIn(corvus.app, 'ada', PASSWORD)
  const started = await browser.call('POST', 'users/self/two-factor')
  assert.equal(started.status, 200)
  secret = started.body.data.secret
  assert.match(started.body.data.uri, /^otpauth:\/\/totp\/Corvus:ada\?issuer=Corvus&secret=[A-Z2-7]{32}&/)
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD)).status, 200)
  const wrong = await browser.call('POST', 'users/self/two-factor/confirm', { data: { code: '000000' } })
  assert.equal(wrong.status, 400)
  const confirmed = await browser.call('POST', 'users/self/two-factor/confirm', { data: { code: code() } })
  assert.equal(confirmed.status, 200)
  recoveryCodes = confirmed.body.data.recovery_codes
  assert.equal(recoveryCodes.length, 10)
})
after(() => corvus.stop())
beforeEach(async () => {
  // Waits for a new time step, so that a code one step off does not become two steps off during the test.
  const left = 30_000 - (Date.now() % 30_000)
  if (left < 3000) await setTimeout(left)
  await corvus.pool.query(`
    update users set is_locked = false, failed_attempts = 0, totp_last_step = 0, suspended_until = null
    where username = 'ada'`)
})

test('a code is requested only after the right password', async () => {
  const { status, body } = await signIn(corvus.app, 'ada', PASSWORD)
  assert.equal(status, 401)
  assert.deepEqual(body, [
    { status: 401, title: 'Second factor required', detail: 'Enter the code of your second factor.' },
  ])
  const wrong = (await signIn(corvus.app, 'ada', 'wrong')).body
  assert.deepEqual(wrong, [{ status: 401, title: 'Unauthorized', detail: WRONG }])
  assert.equal((await signIn(corvus.app, 'ada', 'wrong', code())).body[0].detail, WRONG)
})

test('codes of the current, previous and next time step are accepted, others are not', async () => {
  for (const steps of [-1, 0, 1]) {
    assert.equal((await signIn(corvus.app, 'ada', PASSWORD, code(steps))).status, 200, `${steps}`)
  }
  await corvus.pool.query('update users set totp_last_step = 0')
  for (const steps of [-3, 3]) {
    assert.equal((await signIn(corvus.app, 'ada', PASSWORD, code(steps))).body[0].detail, WRONG, `${steps}`)
  }
})

test('a code works once: neither it nor an earlier one is accepted after it', async () => {
  const used = code()
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD, used)).status, 200)
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD, used)).status, 401)
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD, code(-1))).status, 401)
})

test('of two concurrent sign-ins with the same code, one succeeds', async () => {
  const used = code()
  const both = await Promise.all([1, 2].map(() => signIn(corvus.app, 'ada', PASSWORD, used)))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
})

test('a recovery code works once', async () => {
  const [first = '', second = ''] = recoveryCodes
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD, first)).status, 200)
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD, first)).status, 401)
  const typed = second.replaceAll('-', '').toUpperCase()
  const both = await Promise.all([1, 2].map(() => signIn(corvus.app, 'ada', PASSWORD, typed)))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
})

test('wrong codes lock the account like wrong passwords', async () => {
  for (let i = 0; i < 2; i++) await signIn(corvus.app, 'ada', 'wrong')
  for (let i = 0; i < 3; i++) await signIn(corvus.app, 'ada', PASSWORD, 'wrong')
  const { body } = await signIn(corvus.app, 'ada', PASSWORD)
  assert.equal(body[0].detail, WRONG)
  const { rows } = await corvus.pool.query(`select is_locked from users where username = 'ada'`)
  assert.equal(rows[0].is_locked, true)
})

test('being asked for a code neither counts as a failure nor clears earlier ones', async () => {
  for (let i = 0; i < 4; i++) await signIn(corvus.app, 'ada', 'wrong')
  for (let i = 0; i < 4; i++) await signIn(corvus.app, 'ada', PASSWORD)
  const { rows } = await corvus.pool.query(`select is_locked, failed_attempts from users where username = 'ada'`)
  assert.deepEqual(rows[0], { is_locked: false, failed_attempts: 4 })
})

test('with two_factor_suspension_min, wrong codes suspend the account instead of locking it', async () => {
  const { app, call, pool } = corvus
  await call('PATCH', 'configurations/account-policy', { data: { two_factor_suspension_min: 10 } })
  for (let i = 0; i < 5; i++) await signIn(app, 'ada', PASSWORD, 'wrong')
  assert.equal((await signIn(app, 'ada', PASSWORD, code())).body[0].detail, WRONG)
  const state = `
    select is_locked, suspended_until - now() between interval '9 min' and interval '10 min' as is_suspended
    from users where username = 'ada'`
  assert.deepEqual((await pool.query(state)).rows[0], { is_locked: false, is_suspended: true })
  await pool.query(`update users set suspended_until = now() where username = 'ada'`)
  assert.equal((await signIn(app, 'ada', PASSWORD, code())).status, 200)
  await call('PUT', 'configurations/account-policy', { data: {} })
})

test('a second factor cannot replace an existing one', async () => {
  assert.equal((await browser.call('POST', 'users/self/two-factor')).status, 409)
  assert.equal((await browser.call('POST', 'users/self/two-factor/confirm', { data: { code: code() } })).status, 409)
})

test('an API token cannot set up a second factor', async () => {
  assert.equal((await corvus.call('POST', 'users/self/two-factor')).status, 403)
  assert.equal((await corvus.call('POST', 'users/self/two-factor/confirm', { data: { code: '123456' } })).status, 403)
})

test('renewing recovery codes requires the password and a code, and invalidates the old ones', async () => {
  const path = 'users/self/two-factor/recovery-codes'
  assert.equal((await browser.call('POST', path, { data: { password: 'wrong', code: code() } })).status, 403)
  assert.equal((await browser.call('POST', path, { data: { password: PASSWORD } })).status, 403)
  const { status, body } = await browser.call('POST', path, { data: { password: PASSWORD, code: code() } })
  assert.equal(status, 200)
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD, recoveryCodes[5])).status, 401)
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD, body.data.recovery_codes[5])).status, 200)
})

test('second-factor secrets are stored sealed or hashed, and never returned', async () => {
  const { rows } = await corvus.pool.query(`select * from users where username = 'ada'`)
  assert.ok(!JSON.stringify(rows).includes(secret))
  assert.ok(!JSON.stringify(rows).includes((recoveryCodes[5] ?? '').replaceAll('-', '')))
  for (const path of ['users', `users/${rows[0].id}`, 'users/self']) {
    const text = JSON.stringify((await corvus.call('GET', path)).body)
    for (const name of ['totp', 'recovery', 'argon2', rows[0].password]) assert.ok(!text.includes(name), name)
  }
})

test('removing the second factor requires the password and a code; wrong attempts count', async () => {
  const remove = (data: object) => browser.call('DELETE', 'users/self/two-factor', { data })
  assert.equal((await remove({ password: PASSWORD })).status, 403)
  assert.equal((await remove({ password: PASSWORD, code: '000000' })).status, 403)
  const { rows } = await corvus.pool.query(`select failed_attempts from users where username = 'ada'`)
  assert.equal(rows[0].failed_attempts, 1)
  assert.equal((await remove({ password: PASSWORD, code: code() })).status, 204)
  assert.equal((await browser.call('GET', 'users/self')).body.data.two_factor_enabled, false)
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD)).status, 200)
})
