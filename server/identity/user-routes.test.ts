import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { signIn } from '../../test/browser.ts'

const PASSWORD = 'Correct horse 1!'

let corvus: Awaited<ReturnType<typeof startApp>>
let id: number
before(async () => {
  corvus = await startApp()
  id = (await corvus.call('POST', 'users', { data: { username: 'ada', password: PASSWORD } })).body.data.id
})
after(() => corvus.stop())

const linkFor = async () => {
  const { url } = (await corvus.call('POST', `users/${id}/password-reset`)).body.data
  return String(url).split('#')[1]
}
const reset = (token: unknown, password: string) =>
  corvus.call('POST', 'session/password-reset', { data: { token, password } }, null)

test('a password reset link expires as set by the policy, and only its hash is stored', async () => {
  const { status, body } = await corvus.call('POST', `users/${id}/password-reset`)
  assert.equal(status, 201)
  assert.match(body.data.url, /^http:\/\/corvus\.test\/password-reset#[\w-]{43}$/)
  const seconds = (Date.parse(body.data.expires_at) - Date.now()) / 1000
  assert.ok(seconds > 604_790 && seconds <= 604_801)
  const { rows } = await corvus.pool.query('select * from password_resets')
  assert.ok(!JSON.stringify(rows).includes(body.data.url.split('#')[1]))
})

test('a link sets the password once, requires no permission, and ends all sessions', async () => {
  const browser = await signIn(corvus.app, 'ada', PASSWORD)
  const token = await linkFor()
  const weak = await reset(token, 'weak')
  assert.equal(weak.body.length, 4)
  assert.equal((await reset(token, 'Battery staple 2!')).status, 204)
  const again = await reset(token, 'Battery staple 3!')
  assert.equal(again.status, 400)
  assert.equal((await signIn(corvus.app, 'ada', 'Battery staple 2!')).status, 200)
  assert.equal((await browser.call('GET', 'users/self')).status, 401)
})

test('of two concurrent uses of a link, only one succeeds', async () => {
  const token = await linkFor()
  const both = await Promise.all(['Battery staple 4!', 'Battery staple 5!'].map((password) => reset(token, password)))
  assert.deepEqual(both.map(({ status }) => status).sort(), [204, 400])
})

test('an expired, replaced or invented link is rejected', async () => {
  const replaced = await linkFor()
  const expired = await linkFor()
  assert.equal((await reset(replaced, PASSWORD)).status, 400)
  await corvus.pool.query('update password_resets set expires_at = now()')
  assert.equal((await reset(expired, PASSWORD)).status, 400)
  assert.equal((await reset('', PASSWORD)).status, 400)
  assert.equal((await reset(null, PASSWORD)).status, 400)
})

test('changing the password by other means invalidates the link', async () => {
  const token = await linkFor()
  await corvus.call('PATCH', `users/${id}`, { data: { password: PASSWORD } })
  assert.equal((await reset(token, 'Battery staple 6!')).status, 400)
})

test('an administrator can remove a second factor and end all sessions', async () => {
  const browser = await signIn(corvus.app, 'ada', PASSWORD)
  await corvus.pool.query(`update users set totp_secret = 'x' where id = $1`, [id])
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD)).status, 401)
  assert.equal((await corvus.call('DELETE', `users/${id}/two-factor`)).status, 204)
  assert.equal((await signIn(corvus.app, 'ada', PASSWORD)).status, 200)
  assert.equal((await corvus.call('DELETE', `users/${id}/sessions`)).status, 204)
  assert.equal((await browser.call('GET', 'users/self')).status, 401)
})

test('an unknown user is a 404', async () => {
  assert.equal((await corvus.call('POST', 'users/999999/password-reset')).status, 404)
  assert.equal((await corvus.call('DELETE', 'users/x/two-factor')).status, 404)
  assert.equal((await corvus.call('DELETE', 'users/999999/sessions')).status, 404)
})
