import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { configureMail, startMailServer } from '../../test/mail.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let smtp: Awaited<ReturnType<typeof startMailServer>>
before(async () => {
  corvus = await startApp()
  smtp = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _, done) => (password === 'the right one' ? done(null, { user: 1 }) : done(new Error('no'))),
  })
  const { body } = await corvus.call('GET', 'users/self')
  await corvus.call('PATCH', `users/${body.data.id}`, { data: { email: 'boss@example.org' } })
})
after(async () => {
  await corvus.stop()
  await smtp.stop()
})

const ask = (token?: string) => corvus.call('POST', 'configurations/email/test', undefined, token)

test('without a configuration a test mail is a 409', async () => {
  const { status, body } = await ask()
  assert.equal(status, 409)
  assert.match(body[0].detail, /^No mail can be sent: /)
})

test("a test mail is sent at once to the caller's address", async () => {
  await configureMail(corvus, smtp.port, { username: 'corvus', password: 'the right one' })
  const { status, body } = await ask()
  assert.deepEqual([status, body.data], [200, { status: 'success', error_detail: null }])
  assert.equal(smtp.received.length, 1)
  assert.deepEqual(smtp.received[0]?.to, ['boss@example.org'])
})

test('an error is reported without the password', async () => {
  await configureMail(corvus, smtp.port, { username: 'corvus', password: 'another one' })
  const { status, body } = await ask()
  assert.equal(status, 200)
  assert.deepEqual(body.data, {
    status: 'error',
    error_detail: 'The mail server rejected the username or password. It answered 535.',
  })
})

test('a caller without an address gets a 409', async () => {
  const { status, body } = await ask(await corvus.tokenFor(['modify configurations']))
  assert.equal(status, 409)
  assert.match(body[0].detail, /no e-mail address/)
})

test('a password that was sealed with another key is reported as such', async () => {
  await corvus.pool.query(`update settings set value = value || '{"password": "v1.AAAA"}' where name = 'email'`)
  assert.match((await ask()).body[0].detail, /sealed with another secret key/)
})
