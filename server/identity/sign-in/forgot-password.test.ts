import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { signIn } from '../../../test/browser.ts'
import { configureMail, mailsTo, makeUser, startMailServer, startMailWorker } from '../../../test/mail.ts'

const PASSWORD = 'Correct horse 1!'
const NEW = 'Battery staple 2!'

let corvus: Awaited<ReturnType<typeof startApp>>
let smtp: Awaited<ReturnType<typeof startMailServer>>
let worker: Awaited<ReturnType<typeof startMailWorker>>
let ada: number
before(async () => {
  corvus = await startApp()
  smtp = await startMailServer()
  worker = await startMailWorker(corvus)
  ada = await makeUser(corvus, 'ada', { password: PASSWORD })
})
after(async () => {
  await worker.stop()
  await corvus.stop()
  await smtp.stop()
})
beforeEach(async () => {
  await configureMail(corvus, smtp.port)
  // Mail sent by earlier tests must not suppress the mail of this one.
  await corvus.pool.query('delete from mails')
})

const addresses = Array.from({ length: 256 }, (_, n) => `10.0.0.${n}`)

/** Each request uses a new address, because requests are rate-limited per address. */
const forget = async (username: unknown, headers: Record<string, string> = {}) => {
  const answer = await corvus.app.inject({
    method: 'POST',
    url: '/api/v2/session/forgot-password',
    headers,
    payload: { data: { username } },
    remoteAddress: addresses.shift() ?? '10.0.1.1',
  })
  return { status: answer.statusCode, body: answer.body === '' ? '' : answer.json() }
}
const secretIn = (text: string) => /http:\/\/corvus\.test\/password-reset#([\w-]{43})/.exec(text)?.[1]

test('a user who forgot their password is mailed a single-use link to set a new one', async () => {
  const { status, body } = await forget('ada')
  assert.deepEqual([status, body], [202, ''])
  const [mail] = await smtp.until(1)
  assert.deepEqual(mail?.to, ['ada@example.org'])
  assert.equal(mail?.subject, 'Reset your password for Corvus')
  const token = secretIn(mail?.text ?? '')
  const reset = () => corvus.call('POST', 'session/password-reset', { data: { token, password: NEW } }, null)
  assert.equal((await reset()).status, 204)
  assert.equal((await reset()).status, 400)
  assert.equal((await signIn(corvus.app, 'ada', NEW)).status, 200)
})

test('the e-mail address works like the username, in any case, and the mail names the account', async () => {
  await makeUser(corvus, 'grace', { password: PASSWORD, email: 'Shared@example.org' })
  await makeUser(corvus, 'joan', { password: PASSWORD, email: 'shared@example.org' })
  await forget(' sHARED@example.org ')
  const mails = await smtp.until(2)
  assert.deepEqual(
    mails.map(({ text }) => /account (\w+) on/.exec(text)?.[1]),
    ['grace', 'joan'],
  )
})

test('response and statements are the same whether or not the account exists', async () => {
  const statements: string[] = []
  const watched = await startApp((statement) => {
    // The audit trail is written outside the request, in batches.
    if (!/\baudit_trail\b/.test(statement)) statements.push(statement)
  })
  try {
    await configureMail(watched, smtp.port)
    await makeUser(watched, 'ada', { password: PASSWORD })
    const ask = async (username: string) => {
      await watched.pool.query('delete from task_runs')
      statements.length = 0
      const data = { username }
      const { status, body, headers } = await watched.call('POST', 'session/forgot-password', { data }, null)
      return { status, body, names: Object.keys(headers), statements: [...statements] }
    }
    assert.deepEqual(await ask('ada'), await ask('nobody'))
    assert.ok(!statements.some((statement) => statement.includes('users')))
  } finally {
    await watched.stop()
  }
})

test('no mail is sent to unknown, locked or inactive users, nor to users without an address or password', async () => {
  await makeUser(corvus, 'locked', { password: PASSWORD, is_locked: true })
  await makeUser(corvus, 'inactive', { password: PASSWORD, is_active: false })
  await makeUser(corvus, 'silent', { password: PASSWORD, email: '' })
  await makeUser(corvus, 'invited')
  for (const name of ['nobody', 'locked', 'inactive', 'silent', 'invited', '%', 'ADA', '@example.org']) {
    assert.equal((await forget(name)).status, 202)
  }
  await forget('ada')
  const mails = await smtp.until(1)
  assert.deepEqual(
    mails.map(({ to }) => to),
    [['ada@example.org']],
  )
  const { rows } = await corvus.pool.query('select kind from mails')
  assert.deepEqual(rows, [{ kind: 'password-reset' }])
})

test('repeated requests send one mail until a pause has passed, then another', async () => {
  await Promise.all(Array.from({ length: 10 }, () => forget('ada')))
  assert.equal((await smtp.until(1)).length, 1)
  await forget('ada@example.org')
  await corvus.pool.query(
    `update mails set created_at = created_at - interval '14 minutes' where kind = 'password-reset'`,
  )
  await forget('ada')
  await makeUser(corvus, 'last', { password: PASSWORD })
  await forget('last')
  assert.deepEqual((await smtp.until(1))[0]?.to, ['last@example.org'])
  await corvus.pool.query(
    `update mails set created_at = created_at - interval '2 minutes' where kind = 'password-reset'`,
  )
  await forget('ada')
  assert.deepEqual((await smtp.until(1))[0]?.to, ['ada@example.org'])
})

test('the requested name is not stored in plain text', async () => {
  await worker.stop()
  await forget('ada')
  const { rows } = await corvus.pool.query('select * from mails')
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes('ada'))
  worker = await startMailWorker(corvus)
  await smtp.until(1)
})

test('the link uses the configured public URL, whatever the Host header says', async () => {
  await forget('ada', { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
  const [mail] = await smtp.until(1)
  assert.ok(!mail?.raw.includes('evil'))
  assert.ok(secretIn(mail?.text ?? ''))
})

test('without a public URL or a mail server, every request gets the same 409', async () => {
  const homeless = await startApp(undefined, { environment: { CORVUS_URL: '' } })
  await configureMail(homeless, smtp.port)
  const refused = await homeless.call('POST', 'session/forgot-password', { data: { username: 'admin' } }, null)
  assert.equal(refused.status, 409)
  assert.match(refused.body[0].detail, /CORVUS_URL/)
  await homeless.stop()
  await configureMail(corvus, smtp.port, { host: null })
  const answers = [await forget('ada'), await forget('nobody')]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [409, 409],
  )
  assert.deepEqual(answers[0]?.body, answers[1]?.body)
  assert.match(answers[0]?.body[0].detail, /^No mail can be sent: /)
  assert.equal((await corvus.pool.query('select from mails')).rowCount, 0)
})

test('requests are refused when too many are waiting', async () => {
  await worker.stop()
  await forget('ada')
  const waiting = (count: number) =>
    corvus.pool.query(
      `insert into mails (kind, task_run, content)
      select 'password-reset-request', (select task_run from mails limit 1), 'x' from generate_series(1, $1)`,
      [count],
    )
  await waiting(998)
  assert.equal((await forget('ada')).status, 202)
  assert.equal((await forget('ada')).status, 429)
  await corvus.pool.query(`delete from mails where content = 'x'`)
  worker = await startMailWorker(corvus)
  await smtp.until(1)
})

test('usernames must have 1 to 500 characters', async () => {
  for (const name of ['', 'x'.repeat(501), 7, null, undefined]) assert.equal((await forget(name)).status, 400)
  assert.equal((await forget('x'.repeat(500))).status, 202)
})

test('an administrator can have a reset link mailed, and then does not see it', async () => {
  const sent = await corvus.call('POST', `users/${ada}/password-reset`, { data: { send: true } })
  assert.equal(sent.status, 201)
  assert.equal(sent.body.data.url, null)
  assert.match(sent.body.data.expires_at, /\+00:00$/)
  const [mail] = await smtp.until(1)
  assert.ok(secretIn(mail?.text ?? ''))
  const shown = await corvus.call('POST', `users/${ada}/password-reset`, { data: { send: false } })
  assert.match(shown.body.data.url, /^http:\/\/corvus\.test\/password-reset#/)
  assert.equal((await corvus.call('POST', `users/${ada}/password-reset`, { data: { send: 'yes' } })).status, 400)
})

test('only users without a password can be invited; for others it is a 409', async () => {
  const id = await makeUser(corvus, 'newcomer')
  const { status, body } = await corvus.call('POST', `users/${id}/invite`)
  assert.equal(status, 201, JSON.stringify(body))
  const [mail] = await smtp.until(1)
  assert.equal(mail?.subject, 'Your account on Corvus')
  assert.match(mail?.text ?? '', /Your username is newcomer\./)
  const token = secretIn(mail?.text ?? '')
  await corvus.call('POST', 'session/password-reset', { data: { token, password: NEW } }, null)
  assert.equal((await signIn(corvus.app, 'newcomer', NEW)).status, 200)
  assert.match((await corvus.call('POST', `users/${id}/invite`)).body[0].detail, /already has a password/)
  assert.deepEqual(
    (await mailsTo(corvus, id)).map(({ kind, state }) => [kind, state]),
    [['invitation', 'SENT']],
  )
})

test('administrators get a 409 when mail cannot be sent', async () => {
  const silent = await makeUser(corvus, 'no-address', { email: '' })
  const gone = await makeUser(corvus, 'gone', { is_active: false })
  for (const id of [silent, gone]) {
    assert.equal((await corvus.call('POST', `users/${id}/invite`)).status, 409)
    assert.equal((await corvus.call('POST', `users/${id}/password-reset`, { data: { send: true } })).status, 409)
  }
  await configureMail(corvus, smtp.port, { host: null })
  const { status, body } = await corvus.call('POST', `users/${ada}/password-reset`, { data: { send: true } })
  assert.equal(status, 409)
  assert.match(body[0].detail, /^No mail can be sent: /)
  assert.equal((await corvus.call('POST', `users/${ada}/password-reset`)).status, 201)
  assert.equal((await corvus.call('POST', 'users/999999/invite')).status, 404)
})

test('a caller cannot invite a user who has more permissions', async () => {
  const id = await makeUser(corvus, 'chief')
  const { rows } = await corvus.pool.query(`select id from roles where name = 'System Admin'`)
  await corvus.call('PUT', `users/${id}/roles/${rows[0].id}`)
  const token = await corvus.tokenFor(['modify users', 'read users'])
  assert.equal((await corvus.call('POST', `users/${id}/invite`, undefined, token)).status, 403)
})
