import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { signIn } from '../../test/browser.ts'

const PASSWORD = 'Correct horse 1!'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
  await corvus.call('POST', 'users', { data: { username: 'ada', password: PASSWORD } })
})
after(() => corvus.stop())

test('users/self needs no permission and matches users/{id}', async () => {
  const token = await corvus.tokenFor(['read users'])
  const { status, body } = await corvus.call('GET', 'users/self', undefined, token)
  assert.equal(status, 200)
  assert.deepEqual((await corvus.call('GET', `users/${body.data.id}`)).body, body)
  assert.match(body.data.permissions[0], /\/api\/v2\/permissions\/\d+$/)
  assert.match(body.data.groups[0], /\/api\/v2\/groups\/\d+$/)
  const nothing = await corvus.tokenFor([])
  assert.equal((await corvus.call('GET', 'users/self', undefined, nothing)).status, 200)
})

test('users/self returns only the requested attributes', async () => {
  const { body } = await corvus.call('GET', 'users/self?attributes=is_admin,nonsense')
  assert.deepEqual(body.data, { is_admin: true })
})

test('users can change their own profile and nothing else of their account', async () => {
  const token = await corvus.tokenFor([])
  const change = {
    firstname: 'Ada',
    timezone: 'Europe/Amsterdam',
    email: 'x@example.org',
    is_locked: true,
    username: 'b',
  }
  const before = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const { status, body } = await corvus.call('PATCH', 'users/self', { data: change }, token)
  assert.equal(status, 200)
  const { last_updated_at, last_updated_by, ...now } = body.data
  assert.deepEqual({ ...before, ...now }, { ...before, firstname: 'Ada', timezone: 'Europe/Amsterdam' })
  assert.match(last_updated_by, new RegExp(`/users/${before.id}$`))
  const refused = await corvus.call('PATCH', 'users/self', { data: { timezone: 'Mars' } }, token)
  assert.equal(refused.status, 400)
  assert.match(refused.body[0].detail, /^(data\.)?timezone: must be a time zone/)
})

test('changing the password requires the old one and ends all other sessions', async () => {
  const [one, other] = [await signIn(corvus.app, 'ada', PASSWORD), await signIn(corvus.app, 'ada', PASSWORD)]
  assert.equal((await other.call('GET', 'users/self')).status, 200)
  const change = (old_password: string, new_password: string) =>
    one.call('POST', 'users/self/password', { data: { old_password, new_password } })
  assert.equal((await change('wrong', 'Battery staple 2!')).status, 403)
  assert.equal((await change(PASSWORD, PASSWORD)).status, 400)
  const weak = await change(PASSWORD, 'weak')
  assert.equal(weak.status, 400)
  assert.equal(weak.body.length, 4)
  assert.match(weak.body[0].detail, /^new_password: /)
  assert.equal((await change(PASSWORD, 'Battery staple 2!')).status, 204)
  assert.equal((await one.call('GET', 'users/self')).status, 200)
  assert.equal((await other.call('GET', 'users/self')).status, 401)
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD)).status, 401)
  assert.equal((await signIn(corvus.app, 'ada', 'Battery staple 2!')).status, 200)
})

test('wrong guesses of the old password count towards the lockout', async () => {
  const browser = await signIn(corvus.app, 'ada', 'Battery staple 2!')
  const guess = { old_password: 'wrong', new_password: 'Another one 3!' }
  for (let i = 0; i < 5; i++) await browser.call('POST', 'users/self/password', { data: guess })
  const right = { ...guess, old_password: 'Battery staple 2!' }
  assert.equal((await browser.call('POST', 'users/self/password', { data: right })).status, 403)
  assert.equal((await signIn(corvus.app, 'ada', 'Battery staple 2!')).status, 401)
})

test('a password change is recorded in the change log without secrets', async () => {
  const { rows } = await corvus.pool.query(`
    select c.* from changes as c join users as u on u.id::text = any(c.ids)
    where c.resource = 'users' and c.kind = 'update' and u.username = 'ada'`)
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes('argon2'))
})
