import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startApp } from '../../../test/app.ts'
import { signIn } from '../../../test/browser.ts'
import { adminPassword } from '../../../test/database.ts'
import { PERMISSIONS } from '../../domain/permissions.ts'

const WRONG = 'The username, password or code is wrong, or the account is locked.'
const PASSWORD = 'Correct horse 1!'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
  await corvus.call('POST', 'users', { data: { username: 'ada', password: PASSWORD } })
})
after(() => corvus.stop())
beforeEach(async () => {
  await corvus.pool.query(`update users set is_locked = false, failed_attempts = 0 where username = 'ada'`)
})

const setPolicy = (policy: Record<string, unknown>) =>
  corvus.call('PUT', 'configurations/account-policy', { data: policy })

test('signing in returns an HttpOnly cookie, a CSRF token and the user', async () => {
  const { status, body, setCookie } = await signIn(corvus.app, 'admin', adminPassword)
  assert.equal(status, 200)
  assert.match(setCookie, /^corvus_session=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/)
  assert.match(body.data.user, /^http:\/\/corvus\.test\/api\/v2\/users\/\d+$/)
  assert.match(body.data.csrf_token, /^[\w-]{43}$/)
  assert.deepEqual(body.data.limits, [])
  assert.ok(!JSON.stringify(body).includes(setCookie.slice(15, 58)))
})

test('a session has the permissions of its user, lists them by name, and returns its CSRF token again', async () => {
  const browser = await signIn(corvus.app, 'admin', adminPassword)
  const session = await browser.call('GET', 'session')
  const { permissions, ...told } = session.body.data
  assert.deepEqual(told, browser.body.data)
  assert.deepEqual(permissions, [...PERMISSIONS].sort())
  assert.equal((await browser.call('GET', 'users')).status, 200)
})

test('a session without its CSRF token can read, but not write', async () => {
  const { app } = corvus
  const { headers } = await signIn(app, 'admin', adminPassword)
  const { cookie } = headers
  const read = await app.inject({ method: 'GET', url: '/api/v2/users', headers: { cookie } })
  assert.equal(read.statusCode, 200)
  for (const token of [undefined, '', 'wrong', headers['x-csrf-token']?.slice(1)]) {
    const written = await app.inject({
      method: 'POST',
      url: '/api/v2/groups',
      headers: { cookie, ...(token !== undefined && { 'x-csrf-token': token }) },
      payload: { data: { name: 'Never' } },
    })
    assert.equal(written.statusCode, 403)
    assert.match(written.json()[0].detail, /X-CSRF-Token/)
  }
})

test('a CSRF token of another session is refused', async () => {
  const [one, other] = [
    await signIn(corvus.app, 'admin', adminPassword),
    await signIn(corvus.app, 'admin', adminPassword),
  ]
  const headers = { cookie: one.headers.cookie ?? '', 'x-csrf-token': other.headers['x-csrf-token'] ?? '' }
  const answer = await corvus.app.inject({ method: 'DELETE', url: '/api/v2/session', headers })
  assert.equal(answer.statusCode, 403)
})

test('signing out ends the session at once and clears the cookie', async () => {
  const browser = await signIn(corvus.app, 'admin', adminPassword)
  assert.equal((await browser.call('GET', 'users/self')).status, 200)
  const out = await browser.call('DELETE', 'session')
  assert.equal(out.status, 204)
  assert.match(String(out.headers['set-cookie']), /^corvus_session=; Max-Age=0; Path=\//)
  assert.equal((await browser.call('GET', 'users/self')).status, 401)
})

test('an API token has no session to return or end', async () => {
  const { body } = await corvus.call('GET', 'session')
  assert.equal(body.data.csrf_token, null)
  assert.equal((await corvus.call('DELETE', 'session')).status, 403)
})

test('every failure gets the same response', async () => {
  await corvus.call('POST', 'users', { data: { username: 'locked', password: PASSWORD, is_locked: true } })
  await corvus.call('POST', 'users', { data: { username: 'inactive', password: PASSWORD, is_active: false } })
  await corvus.call('POST', 'users', { data: { username: 'passwordless' } })
  const tries = [
    ['nobody', PASSWORD],
    ['ada', 'wrong'],
    ['ada', ''],
    ['locked', PASSWORD],
    ['inactive', PASSWORD],
    ['passwordless', ''],
  ]
  for (const [username = '', password = ''] of tries) {
    const { status, body, setCookie } = await signIn(corvus.app, username, password)
    assert.deepEqual(body, [{ status: 401, title: 'Unauthorized', detail: WRONG }], username)
    assert.equal(status, 401)
    assert.equal(setCookie, '')
  }
})

test('a malformed sign-in body is a 400', async () => {
  for (const body of [undefined, null, [], { data: { username: 1, password: {} } }]) {
    assert.equal((await corvus.call('POST', 'session', body, null)).status, 400)
  }
})

test('failures lock the account, the right password does not unlock it, and an administrator can', async () => {
  const { app, call, pool } = corvus
  for (let i = 0; i < 4; i++) await signIn(app, 'ada', 'wrong')
  assert.equal((await signIn(app, 'ada', PASSWORD)).status, 200)
  for (let i = 0; i < 5; i++) await signIn(app, 'ada', 'wrong')
  assert.equal((await signIn(app, 'ada', PASSWORD)).status, 401)
  const { rows } = await pool.query(`select id, is_locked from users where username = 'ada'`)
  assert.equal(rows[0].is_locked, true)
  assert.equal((await call('PATCH', `users/${rows[0].id}`, { data: { is_locked: false } })).status, 200)
  assert.equal((await signIn(app, 'ada', PASSWORD)).status, 200)
})

test('concurrent failures all count', async () => {
  await setPolicy({ lockout_attempts: 1000 })
  await Promise.all(Array.from({ length: 10 }, () => signIn(corvus.app, 'ada', 'wrong')))
  const { rows } = await corvus.pool.query(`select failed_attempts from users where username = 'ada'`)
  assert.equal(rows[0].failed_attempts, 10)
  await setPolicy({})
})

test('a right guess is refused if the account was locked during the check', async () => {
  const other = await corvus.pool.connect()
  await other.query('begin')
  await other.query(`update users set is_locked = true where username = 'ada'`)
  const guess = signIn(corvus.app, 'ada', PASSWORD)
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await corvus.pool.query(waiting)).rowCount === 0) await setTimeout(10)
  await other.query('commit')
  other.release()
  assert.equal((await guess).body[0].detail, WRONG)
})

test('with lockout_attempts 0, or with the policy disabled, accounts are never locked', async () => {
  for (const policy of [{ lockout_attempts: 0 }, { account_policy_enabled: false, lockout_attempts: 1 }]) {
    await setPolicy(policy)
    for (let i = 0; i < 6; i++) await signIn(corvus.app, 'ada', 'wrong')
    assert.equal((await signIn(corvus.app, 'ada', PASSWORD)).status, 200)
  }
  await setPolicy({})
})

test('a session ends at its expiry, however active it is', async () => {
  await corvus.call('PATCH', 'configurations/server', { data: { jwt_expiration_delta: 60 } })
  const browser = await signIn(corvus.app, 'ada', PASSWORD)
  assert.match(browser.setCookie, /Max-Age=60;/)
  assert.ok(Date.parse(browser.body.data.expires_at) - Date.now() <= 60_000)
  await corvus.pool.query('update sessions set expires_at = now()')
  assert.equal((await browser.call('GET', 'users/self')).status, 401)
  await corvus.call('PATCH', 'configurations/server', { data: { jwt_expiration_delta: null } })
})

test('an idle session ends', async () => {
  const [idle, busy] = [await signIn(corvus.app, 'ada', PASSWORD), await signIn(corvus.app, 'ada', PASSWORD)]
  const back = `update sessions set last_seen_at = now() - make_interval(secs => $1) where id = (select max(id) from sessions) + $2`
  await corvus.pool.query(back, [3601, -1])
  await corvus.pool.query(back, [3599, 0])
  assert.equal((await idle.call('GET', 'users/self')).status, 401)
  assert.equal((await busy.call('GET', 'users/self')).status, 200)
})

test('a session can do nothing else until a required password change is done', async () => {
  await corvus.pool.query(`update users set must_change_password = true where username = 'ada'`)
  const browser = await signIn(corvus.app, 'ada', PASSWORD)
  assert.deepEqual(browser.body.data.limits, ['must_change_password'])
  for (const path of ['permissions', 'users/self/tokens', '/private/users/me']) {
    const { status, body } = await browser.call('GET', path)
    assert.equal(status, 403)
    assert.equal(body[0].detail, 'Change your password first.')
  }
  assert.equal((await browser.call('GET', 'session')).status, 200)
  assert.equal((await browser.call('GET', 'users/self')).status, 200)
  const change = { old_password: PASSWORD, new_password: 'Battery staple 2!' }
  assert.equal((await browser.call('POST', 'users/self/password', { data: change })).status, 204)
  assert.equal((await browser.call('GET', 'users/self/tokens')).status, 200)
  await corvus.call('PUT', 'users', { data: [{ username: 'ada', password: PASSWORD }] })
})

test('an enforced second factor must be set up first', async () => {
  await setPolicy({ two_factor_authn_enforced: true })
  const browser = await signIn(corvus.app, 'ada', PASSWORD)
  assert.deepEqual(browser.body.data.limits, ['must_set_up_two_factor'])
  assert.equal((await browser.call('GET', 'users/self/tokens')).status, 403)
  assert.equal((await browser.call('POST', 'users/self/two-factor')).status, 200)
  await setPolicy({})
  assert.equal((await browser.call('GET', 'users/self/tokens')).status, 200)
})
