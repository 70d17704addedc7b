import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { startApp } from '../../../test/app.ts'
import { signIn } from '../../../test/browser.ts'

const PASSWORD = 'Correct horse 1!'
const POLICY = 'configurations/account-policy'

/** Two processes of one installation. The policy is changed through the first and must take effect in the second. */
let here: Awaited<ReturnType<typeof startApp>>
let there: Awaited<ReturnType<typeof startApp>>
let id: number
before(async () => {
  here = await startApp()
  there = await startApp(undefined, { sharedWith: here })
  // The trigger is disabled because a request may arrive before the notification does.
  await here.pool.query('alter table settings disable trigger forget')
})
after(async () => {
  await there.stop()
  await here.stop()
})

let counter = 0
let username: string
beforeEach(async () => {
  await here.call('PUT', POLICY, { data: {} })
  username = `user-${++counter}`
  id = (await here.call('POST', 'users', { data: { username, password: PASSWORD } })).body.data.id
})

const change = async (policy: object) => {
  const { status, body } = await here.call('PATCH', POLICY, { data: policy })
  assert.equal(status, 200, JSON.stringify(body))
}
const enter = (password = PASSWORD, code?: string) => signIn(there.app, username, password, code)
const setPassword = (password: string) => there.call('PATCH', `users/${id}`, { data: { password } })

async function isLocked(): Promise<boolean> {
  return (await here.call('GET', `users/${id}`)).body.data.is_locked
}

test('lockout_attempts', async () => {
  await enter('wrong')
  await change({ lockout_attempts: 3 })
  await enter('wrong')
  assert.equal(await isLocked(), false)
  await change({ lockout_attempts: 0 })
  await enter('wrong')
  assert.equal(await isLocked(), false)
  await change({ lockout_attempts: 4 })
  await enter('wrong')
  assert.equal(await isLocked(), true)
})

for (const [field, value, weak, fault] of [
  ['password_min_length', 20, 'Correct horse 1!', 'must have at least 20 characters'],
  ['password_requires_capital_letters', true, 'correct horse 1!', 'must contain an upper-case letter'],
  ['password_requires_numbers', true, 'Correct horse !!', 'must contain a number'],
  ['password_requires_special_chars', true, 'Correct horse 11', 'must contain a special character'],
] as const) {
  test(field, async () => {
    const lax = field === 'password_min_length' ? 16 : false
    await change({ [field]: lax })
    assert.equal((await setPassword(weak)).status, 200)
    await change({ [field]: value })
    const { status, body } = await setPassword(weak)
    assert.deepEqual([status, body[0].detail], [400, `password: ${fault}`])
    const browser = await enter(weak)
    const own = await browser.call('POST', 'users/self/password', {
      data: { old_password: weak, new_password: `${weak.slice(0, -1)} ${weak.at(-1)}` },
    })
    assert.equal(own.body[0].detail, `new_password: ${fault}`)
    const { url } = (await there.call('POST', `users/${id}/password-reset`)).body.data
    const data = { token: url.split('#')[1], password: weak }
    const reset = await there.call('POST', 'session/password-reset', { data }, null)
    assert.equal(reset.body[0].detail, `password: ${fault}`)
    await change({ [field]: lax })
    assert.equal((await there.call('POST', 'session/password-reset', { data }, null)).status, 204)
  })
}

test('account_policy_enabled', async () => {
  const weak = 'eightchr'
  assert.equal((await setPassword(weak)).status, 400)
  await change({ account_policy_enabled: false, lockout_attempts: 1, two_factor_authn_enforced: true })
  assert.equal((await setPassword(weak)).status, 200)
  assert.equal((await setPassword('sevench')).status, 400)
  await enter('wrong')
  assert.equal(await isLocked(), false)
  const browser = await enter(weak)
  assert.equal((await browser.call('GET', 'users/self/tokens')).status, 200)
  await change({ account_policy_enabled: true })
  assert.equal((await browser.call('GET', 'users/self/tokens')).status, 403)
  await enter('wrong')
  assert.equal(await isLocked(), true)
})

test('password_reset_link_expiry_in_seconds', async () => {
  for (const seconds of [3600, 31_536_000]) {
    await change({ password_reset_link_expiry_in_seconds: seconds })
    const { expires_at } = (await there.call('POST', `users/${id}/password-reset`)).body.data
    const left = (Date.parse(expires_at) - Date.now()) / 1000
    assert.ok(left > seconds - 60 && left <= seconds + 1)
  }
})

test('two_factor_authn_enforced applies to existing and new sessions', async () => {
  // An app without any writes, so that nothing else makes it reload its callers.
  const idle = await startApp(undefined, { sharedWith: here })
  const browser = await signIn(idle.app, username, PASSWORD)
  const ask = () => browser.call('GET', 'users/self/tokens')
  for (let i = 0; i < 5; i++) assert.equal((await ask()).status, 200)
  await change({ two_factor_authn_enforced: true })
  const refused = await ask()
  assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Set up a second factor first.'])
  assert.deepEqual((await browser.call('GET', 'session')).body.data.limits, ['must_set_up_two_factor'])
  assert.deepEqual((await enter()).body.data.limits, ['must_set_up_two_factor'])
  await change({ two_factor_authn_enforced: false })
  assert.equal((await ask()).status, 200)
  assert.deepEqual((await enter()).body.data.limits, [])
  await idle.stop()
})

test('two_factor_suspension_min', async () => {
  const browser = await enter()
  const { secret } = (await browser.call('POST', 'users/self/two-factor')).body.data
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await browser.call('POST', 'users/self/two-factor/confirm', { data: { code: totp.generate() } })
  await change({ two_factor_suspension_min: 10, lockout_attempts: 1 })
  await enter(PASSWORD, '000000')
  const minutes = async () => {
    const { rows } = await here.pool.query(
      `select is_locked, round(extract(epoch from suspended_until - now()) / 60)::integer as minutes
      from users where id = $1`,
      [id],
    )
    return rows[0]
  }
  assert.deepEqual(await minutes(), { is_locked: false, minutes: 10 })
  assert.equal((await enter(PASSWORD, totp.generate({ timestamp: Date.now() + 30_000 }))).status, 401)
  await here.pool.query('update users set suspended_until = null')
  await change({ two_factor_suspension_min: 525_600 })
  await enter(PASSWORD, '000000')
  assert.deepEqual(await minutes(), { is_locked: false, minutes: 525_600 })
  await here.pool.query('update users set suspended_until = null')
  await change({ two_factor_suspension_min: 0 })
  await enter(PASSWORD, '000000')
  assert.equal((await minutes()).is_locked, true)
})
