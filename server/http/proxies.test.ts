import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { signIn as signInWithPassword } from '../../test/browser.ts'
import { adminPassword } from '../../test/database.ts'
import { until } from '../../test/until.ts'

const PROXY = '10.1.2.3'
const HEADER = 'x-remote-user'

let corvus: Awaited<ReturnType<typeof startApp>>
let plain: Awaited<ReturnType<typeof startApp>>
let port: number
before(async () => {
  const environment = {
    CORVUS_URL: '',
    CORVUS_TRUSTED_PROXIES: '10.1.0.0/16, ::1, 127.0.0.1',
    CORVUS_PROXY_USER_HEADER: 'X-Remote-User',
  }
  corvus = await startApp(undefined, { environment })
  plain = await startApp(undefined, { environment: { CORVUS_URL: '' } })
  port = Number(new URL(await corvus.app.listen({ host: '127.0.0.1', port: 0 })).port)
  await corvus.call('POST', 'users', { data: { username: 'ada' } })
  await corvus.call('POST', 'users', { data: { username: 'zoë' } })
})
after(async () => {
  await corvus.stop()
  await plain.stop()
})

type Headers = Record<string, string | string[]>
type Method = 'GET' | 'POST' | 'DELETE'

const ask = (
  headers: Headers,
  from = PROXY,
  url = '/api/v2/session/methods',
  method: Method = 'GET',
  app = corvus.app,
) => app.inject({ method, url, headers: { host: 'corvus.test', ...headers }, remoteAddress: from })

/** The client address recorded in the audit trail. */
async function addressOf(headers: Headers, from: string, started = corvus): Promise<string> {
  const { headers: answered } = await ask(headers, from, '/api/v2/session/methods', 'GET', started.app)
  const find = 'select address from audit_trail where id = $1'
  const entry = async () => (await started.pool.query(find, [answered['x-request-id']])).rows[0]
  return (await until(entry, 'the audit trail has no such entry')).address
}

const addresses: [forwarded: string | string[], from: string, believed: string][] = [
  ['203.0.113.7', PROXY, '203.0.113.7'],
  ['203.0.113.7', '::1', '203.0.113.7'],
  ['203.0.113.7', `::ffff:${PROXY}`, '203.0.113.7'],
  ['203.0.113.7', '10.2.0.1', '10.2.0.1'],
  ['1.1.1.1, 203.0.113.7', PROXY, '203.0.113.7'],
  ['1.1.1.1, 203.0.113.7, 10.1.9.9', PROXY, '203.0.113.7'],
  ['nonsense, 203.0.113.7', PROXY, '203.0.113.7'],
  ['203.0.113.7, nonsense', PROXY, PROXY],
  ['nonsense', PROXY, PROXY],
  ['', PROXY, PROXY],
  ['203.0.113.7:4711', PROXY, '203.0.113.7'],
  ['[2001:db8::7]:443', PROXY, '2001:db8::7'],
  ['2001:db8::7', PROXY, '2001:db8::7'],
  ['127.0.0.1, 203.0.113.7', PROXY, '203.0.113.7'],
]

test('the client address is the nearest one that no trusted proxy added', async () => {
  const found = addresses.map(([forwarded, from]) => addressOf({ 'x-forwarded-for': forwarded }, from))
  assert.deepEqual(
    await Promise.all(found),
    addresses.map(([, , believed]) => believed),
  )
})

test('without trusted proxies no forwarding header is trusted, not even from localhost', async () => {
  const from = ['127.0.0.1', '::1', PROXY]
  const found = from.map((each) => addressOf({ 'x-forwarded-for': '203.0.113.7' }, each, plain))
  assert.deepEqual(await Promise.all(found), from)
})

/** The base URL of this server, as used in references. */
async function baseUrlOf(headers: Headers, from = PROXY, app = corvus.app): Promise<string> {
  const answer = await ask(headers, from, '/api/v2/openapi.json', 'GET', app)
  return answer.json().servers[0].url
}

test('a trusted proxy determines host and scheme', async () => {
  const headers = { 'x-forwarded-host': 'intel.example.org:8443', 'x-forwarded-proto': 'https' }
  assert.equal(await baseUrlOf(headers), 'https://intel.example.org:8443')
  assert.equal(await baseUrlOf(headers, '10.2.0.1'), 'http://corvus.test')
  assert.equal(await baseUrlOf(headers, '127.0.0.1', plain.app), 'http://corvus.test')
  assert.equal(await baseUrlOf({ 'x-forwarded-host': '[2001:db8::7]:80' }), 'http://[2001:db8::7]:80')
})

test('an invalid host or scheme is ignored, and of repeated ones the nearest counts', async () => {
  const hosts = ['evil.example.org/path', 'a@evil.example.org', 'a b', '<script>', 'a\\b', 'a:99999999', '..', '[x]']
  for (const host of hosts) assert.equal(await baseUrlOf({ 'x-forwarded-host': host }), 'http://corvus.test', host)
  for (const scheme of ['javascript', 'HTTPS', 'https:', '']) {
    assert.equal(await baseUrlOf({ 'x-forwarded-proto': scheme }), 'http://corvus.test', scheme)
  }
  const doubled = { 'x-forwarded-host': 'evil.example.org, near.example.org', 'x-forwarded-proto': 'http, https' }
  assert.equal(await baseUrlOf(doubled), 'https://near.example.org')
})

test('the session cookie is Secure if the proxy serves https', async () => {
  const cookieFor = async (scheme: string, from: string) => {
    const answer = await corvus.app.inject({
      method: 'POST',
      url: '/api/v2/session',
      headers: { 'x-forwarded-proto': scheme },
      remoteAddress: from,
      payload: { username: 'admin', password: adminPassword },
    })
    return String(answer.headers['set-cookie'])
  }
  assert.match(await cookieFor('https', PROXY), /; Secure/)
  assert.doesNotMatch(await cookieFor('https', '10.2.0.1'), /; Secure/)
})

test('metrics need a token or an allowed network; behind a proxy the original address counts', async () => {
  const networks = { CORVUS_METRICS_NETWORKS: '127.0.0.0/8, 10.9.0.0/16' }
  const open = await startApp(undefined, { environment: networks })
  const behind = await startApp(undefined, { environment: { ...networks, CORVUS_TRUSTED_PROXIES: '127.0.0.0/8' } })
  const statusFor = async (app: typeof open.app, from: string, headers: Headers = {}) =>
    (await ask(headers, from, '/metrics', 'GET', app)).statusCode
  try {
    for (const app of [corvus.app, plain.app]) assert.equal(await statusFor(app, '127.0.0.1'), 401)
    assert.equal(await statusFor(plain.app, '127.0.0.1', { authorization: `Bearer ${plain.admin}` }), 200)
    assert.equal(await statusFor(open.app, '127.0.0.1'), 200)
    assert.equal(await statusFor(open.app, '10.9.1.1'), 200)
    assert.equal(await statusFor(open.app, '10.8.1.1'), 401)
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-proto']) {
      for (const value of ['127.0.0.1', 'nonsense', '']) {
        assert.equal(await statusFor(open.app, '127.0.0.1', { [name]: value }), 401, `${name}: ${value}`)
      }
    }
    assert.equal(await statusFor(behind.app, '127.0.0.1', { 'x-forwarded-for': '10.9.1.1' }), 200)
    for (const forwarded of ['10.8.1.1', '10.9.1.1, 10.8.1.1', 'nonsense', '', undefined]) {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      assert.equal(await statusFor(behind.app, '127.0.0.1', headers), 401, forwarded)
    }
    assert.equal(await statusFor(behind.app, '10.8.1.1', { 'x-forwarded-for': '10.9.1.1' }), 401)
  } finally {
    await open.stop()
    await behind.stop()
  }
})

const signIn = (headers: Headers, from = PROXY) => ask(headers, from, '/api/v2/session/proxy', 'POST')

/** The cookie and CSRF token returned by a sign-in. */
const sessionIn = (answer: Awaited<ReturnType<typeof signIn>>) => ({
  cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '',
  'x-csrf-token': answer.json().data.csrf_token as string,
})

test('a user named by a trusted proxy gets a normal session', async () => {
  assert.equal((await ask({})).json().data.proxy, true)
  const answer = await signIn({ [HEADER]: 'ada' })
  assert.equal(answer.statusCode, 200)
  assert.match(
    String(answer.headers['set-cookie']),
    /^corvus_session=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const headers = { ...sessionIn(answer), [HEADER]: 'ada' }
  const self = await ask(headers, PROXY, '/api/v2/users/self')
  assert.equal(self.json().data.username, 'ada')
  assert.equal(self.json().data.last_login_at === null, false)
})

test('the user header is ignored unless it comes from a trusted proxy', async () => {
  assert.equal((await signIn({ [HEADER]: 'admin' }, '10.2.0.1')).statusCode, 401)
  assert.equal((await signIn({ [HEADER]: 'admin', 'x-forwarded-for': PROXY }, '203.0.113.7')).statusCode, 401)
  const other = await ask({ [HEADER]: 'admin' }, '127.0.0.1', '/api/v2/session/proxy', 'POST', plain.app)
  assert.equal(other.statusCode, 401)
  assert.equal(
    (await ask({ [HEADER]: 'admin' }, PROXY, '/api/v2/users')).statusCode,
    401,
    'no session was created either',
  )
})

test('the immediate connection decides, whatever addresses it forwards', async () => {
  assert.equal((await signIn({ [HEADER]: 'ada', 'x-forwarded-for': '203.0.113.7' })).statusCode, 200)
})

test('an invalid header value names no user', async () => {
  for (const name of ['', ' ', 'nobody', 'ADA', 'ada, admin', 'a\u0001da', 'ad\u00ff', 'x'.repeat(501), '__proto__']) {
    assert.equal((await signIn({ [HEADER]: name })).statusCode, 401, name)
  }
  assert.equal((await signIn({})).statusCode, 401)
  const utf8 = Buffer.from('zoë').toString('latin1')
  assert.equal((await signIn({ [HEADER]: utf8 })).statusCode, 200)
})

test('a repeated header names no user, in any spelling', async () => {
  const post = (lines: string[]) => raw(port, ['POST /api/v2/session/proxy HTTP/1.1', 'Host: corvus.test', ...lines])
  assert.match(await post(['X-Remote-User: ada']), /^HTTP\/1\.1 200/)
  assert.match(await post(['X-Remote-User: ada', 'X-Remote-User: ada']), /^HTTP\/1\.1 401/)
  assert.match(await post(['X-Remote-User: ada', 'x-remote-user: admin']), /^HTTP\/1\.1 401/)
  assert.match(await post(['X_Remote_User: ada']), /^HTTP\/1\.1 401/)
})

test('locked, suspended and inactive users are refused', async () => {
  for (const state of ['is_locked = true', 'is_active = false', `suspended_until = now() + interval '1 hour'`]) {
    await corvus.pool.query(`update users set ${state} where username = 'ada'`)
    assert.equal((await signIn({ [HEADER]: 'ada' })).statusCode, 401, state)
    await corvus.pool.query(
      `update users set is_locked = false, is_active = true, suspended_until = null where username = 'ada'`,
    )
  }
})

test('the session needs its CSRF token for writes, whatever the proxy sends', async () => {
  const { cookie, 'x-csrf-token': token } = sessionIn(await signIn({ [HEADER]: 'ada' }))
  const write = (headers: Headers) => ask({ cookie, [HEADER]: 'ada', ...headers }, PROXY, '/api/v2/session', 'DELETE')
  assert.equal((await write({})).statusCode, 403)
  assert.equal((await write({ 'x-csrf-token': 'wrong' })).statusCode, 403)
  assert.equal((await write({ 'x-csrf-token': token })).statusCode, 204)
})

test('the session is valid only while the proxy names the same user', async () => {
  const { cookie } = sessionIn(await signIn({ [HEADER]: 'ada' }))
  const read = async (headers: Headers, from = PROXY) =>
    (await ask({ cookie, ...headers }, from, '/api/v2/users/self')).statusCode
  assert.equal(await read({ [HEADER]: 'ada' }), 200)
  assert.equal(await read({}), 401)
  assert.equal(await read({ [HEADER]: 'admin' }), 401)
  assert.equal(await read({ [HEADER]: 'ada' }, '10.2.0.1'), 401)
  assert.equal(await read({ [HEADER]: 'ada' }), 200)
})

test('password sessions and API tokens need no proxy and ignore its header', async () => {
  const browser = await signInWithPassword(corvus.app, 'admin', adminPassword)
  const cookie = browser.headers.cookie ?? ''
  const self = await ask({ cookie, [HEADER]: 'ada' }, PROXY, '/api/v2/users/self')
  assert.equal(self.json().data.username, 'admin')
  const byToken = { authorization: `Bearer ${corvus.admin}`, [HEADER]: 'ada' }
  assert.notEqual((await ask(byToken, PROXY, '/api/v2/users/self')).json().data.username, 'ada')
})

test('passwords can be disabled if a proxy signs users in', async () => {
  const set = (password_sign_in_enabled: boolean) =>
    corvus.call('PUT', 'configurations/single-sign-on', { data: { password_sign_in_enabled } })
  await set(false)
  assert.equal((await signInWithPassword(corvus.app, 'admin', adminPassword)).status, 403)
  await set(true)
  assert.equal((await signInWithPassword(corvus.app, 'admin', adminPassword)).status, 200)
})

/** Sends these lines verbatim and returns the whole response. */
async function raw(port: number, lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  let answer = ''
  for await (const part of socket) answer += part
  return answer
}
