import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { readBasic } from './basic.ts'
import { hashPassword } from './passwords.ts'

const PASSWORD = 'Correct: horse 1!'
const WRONG = 'The username or password is wrong, or the account is locked.'

let corvus: Awaited<ReturnType<typeof startApp>>
let checked = 0
before(async () => {
  // Each password check queries the account together with its state.
  corvus = await startApp((statement) => {
    if (statement.includes('recovery_codes') && statement.includes('is_open')) checked++
  })
  // Inserted directly, because the cache is bypassed for some seconds after users change over the API.
  await corvus.pool.query('insert into users (username, password) values ($1, $2)', [
    'ada',
    await hashPassword(PASSWORD),
  ])
})
after(() => corvus.stop())
beforeEach(async () => {
  await corvus.pool.query(
    `update users set is_locked = false, failed_attempts = 0, is_active = true, must_change_password = false, totp_secret = null
     where username = 'ada'`,
  )
})

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

const ask = async (authorization: string, url = '/taxii2/root/') => {
  const answer = await corvus.app.inject({ method: 'GET', url, headers: { authorization } })
  return { status: answer.statusCode, body: answer.json() }
}

/** Repeats the request until the response has this status, because notifications take a moment. */
const becomes = (authorization: string, status: number) =>
  until(async () => {
    const answer = await ask(authorization)
    return answer.status === status ? answer : undefined
  }, `the response did not become ${status}`)

const failures = async () =>
  (await corvus.pool.query(`select failed_attempts, is_locked from users where username = 'ada'`)).rows[0]

test('a username and password are accepted without a session', async () => {
  assert.equal((await ask(basic('ada', PASSWORD))).status, 200)
  assert.equal((await ask(`bAsIc   ${basic('ada', PASSWORD).slice(6)}`)).status, 200)
  const { rows } = await corvus.pool.query(
    `select count(*)::integer as count from sessions as s join users as u on u.id = s.user_id where u.username = 'ada'`,
  )
  assert.equal(rows[0].count, 0)
})

test('other routes do not accept passwords', async () => {
  const { status, body } = await ask(basic('ada', PASSWORD), '/api/v2/users/self')
  assert.deepEqual([status, body[0].title], [401, 'Unauthorized'])
})

test("a username with one of that user's API tokens is accepted, with another user's token it is not", async () => {
  const token = await corvus.tokenFor([])
  const { body } = await corvus.call('GET', 'users/self', undefined, token)
  assert.equal((await ask(basic(body.data.username, token))).status, 200)
  for (const username of ['ada', 'nobody', body.data.username.toUpperCase()]) {
    assert.equal((await ask(basic(username, token))).status, 401, username)
  }
  assert.equal((await ask(basic(body.data.username, `cvs_${'A'.repeat(43)}`))).status, 401)
})

test('a password is checked now and then, not on every request', async () => {
  for (let tries = 0; ; tries++) {
    checked = 0
    assert.equal((await ask(basic('ada', PASSWORD))).status, 200)
    if (checked === 0) break
    // Notifications about earlier changes may still arrive.
    assert.ok(tries < 20, 'the password is checked every time')
  }
  assert.equal((await ask(basic('ada', `${PASSWORD}x`))).status, 401)
  assert.equal(checked, 1)
})

test('unknown users, wrong passwords and locked accounts get the same error', async () => {
  for (const [username, password] of [
    ['nobody', PASSWORD],
    ['ada', 'wrong'],
    ['ada', ''],
  ] as const) {
    const { status, body } = await ask(basic(username, password))
    assert.deepEqual([status, body.description], [401, WRONG])
  }
  assert.equal((await failures()).failed_attempts, 2)
})

test('wrong passwords lock the account as at sign-in, even if the right one is cached', async () => {
  const right = basic('ada', PASSWORD)
  await becomes(right, 200)
  for (let i = 0; i < 5; i++) assert.equal((await ask(basic('ada', `wrong ${i}`))).status, 401)
  assert.equal((await failures()).is_locked, true)
  assert.equal((await becomes(right, 401)).body.description, WRONG)
})

test('an old password stops working after a change', async () => {
  const right = basic('ada', PASSWORD)
  await becomes(right, 200)
  const { rows } = await corvus.pool.query(`select id, password from users where username = 'ada'`)
  await corvus.pool.query(`update users set password = null where id = $1`, [rows[0].id])
  await becomes(right, 401)
  await corvus.pool.query(`update users set password = $2 where id = $1`, [rows[0].id, rows[0].password])
  await becomes(right, 200)
})

test('users who are inactive, have a second factor, or must change the password or set one up first are refused', async () => {
  const right = basic('ada', PASSWORD)
  const set = (change: string) => corvus.pool.query(`update users set ${change} where username = 'ada'`)
  await set('must_change_password = true')
  assert.match((await becomes(right, 403)).body.description, /Change your password first/)
  await set(`must_change_password = false, totp_secret = 'sealed'`)
  assert.match((await becomes(right, 401)).body.description, /second factor\. Send an API token/)
  await set('totp_secret = null, is_active = false')
  assert.equal((await becomes(right, 401)).body.description, WRONG)
  await set('is_active = true')
  await corvus.call('PUT', 'configurations/account-policy', { data: { two_factor_authn_enforced: true } })
  assert.match((await becomes(right, 403)).body.description, /Set up a second factor first/)
  await corvus.call('PUT', 'configurations/account-policy', { data: {} })
  await becomes(right, 200)
})

test('the header is parsed as RFC 7617 defines it, and nothing else is accepted', () => {
  assert.deepEqual(readBasic(basic('Zoë', 'a:b')), { username: 'Zoë', password: 'a:b' })
  assert.deepEqual(readBasic(basic('a', '')), { username: 'a', password: '' })
  for (const other of [undefined, '', 'Bearer x', 'Basically x', 'Digest a=b'])
    assert.equal(readBasic(other), undefined)
  const bad = ['Basic', 'Basic ', 'Basic !!!', basic('', 'x'), 'Basic YQ==', basic('a\u0000b', 'x'), basic('a', 'x\n')]
  bad.push(basic('a'.repeat(501), 'x'), basic('a', 'x'.repeat(1025)), `${basic('a', 'b')} c`)
  for (const header of bad) assert.throws(() => readBasic(header), { status: 401 }, header)
})
