import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { BASE, startApp } from '../../../test/app.ts'
import { openBrowser } from '../../../test/openid-browser.ts'
import { CALLBACK, CLIENT, startOpenidProvider } from '../../../test/openid-provider.ts'

const START = '/api/v2/session/oidc/start'
const failed = (reason: string) => `${BASE}/sign-in?error=${reason}`

const lines: string[] = []
let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startOpenidProvider>>
let path: string
before(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  corvus = await startApp(undefined, { log, environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  provider = await startOpenidProvider()
  const data = { name: 'Staff login', issuer: provider.issuer, ...CLIENT }
  const made = await corvus.call('POST', 'identity-providers', { data })
  path = `identity-providers/${made.body.data.id}`
})
after(async () => {
  await corvus.stop()
  await provider.stop()
})
beforeEach(async () => {
  await corvus.call('PATCH', path, {
    data: { is_enabled: true, creates_users: true, default_groups: [], default_roles: [], ...CLIENT },
  })
})

const cutBase = (url: string) => url.replace(BASE, '')

test('the sign-in page can list the sign-in methods without authentication', async () => {
  const methods = async () => (await corvus.call('GET', 'session/methods', undefined, null)).body.data
  assert.deepEqual(await methods(), {
    password: true,
    proxy: false,
    identity_providers: [
      {
        identity_provider: `${BASE}/api/v2/${path}`,
        name: 'Staff login',
        start_url: `${BASE}${START}?identity_provider=${path.split('/')[1]}`,
      },
    ],
  })
  await corvus.call('PATCH', path, { data: { is_enabled: false } })
  assert.deepEqual((await methods()).identity_providers, [])
})

test('starting a sign-in redirects to the provider with PKCE and a fresh state and nonce', async () => {
  const starts = [await openBrowser(corvus.app).visit(START), await openBrowser(corvus.app).visit(START)]
  const seen = starts.map(({ status, location, answer }) => {
    assert.equal(status, 302)
    const url = new URL(location)
    assert.equal(url.origin, provider.issuer)
    const { scope, redirect_uri, response_type, code_challenge_method, client_id, ...rest } = Object.fromEntries(
      url.searchParams,
    )
    assert.deepEqual(
      { scope, redirect_uri, response_type, code_challenge_method, client_id },
      {
        scope: 'openid profile email',
        redirect_uri: CALLBACK,
        response_type: 'code',
        code_challenge_method: 'S256',
        client_id: 'corvus',
      },
    )
    assert.match(
      String(answer.headers['set-cookie']),
      /^corvus_sign_in=[\w-]{43}; Max-Age=600; Path=\/api\/v2\/session\/oidc; HttpOnly; SameSite=Lax$/,
    )
    return Object.values(rest)
  })
  assert.equal(new Set(seen.flat()).size, 6)
})

test('a successful callback begins a normal session and continues at the requested page', async () => {
  const claims = { preferred_username: 'ada', email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' }
  provider.expect({ sub: 'ada-1', claims })
  const browser = openBrowser(corvus.app)
  const end = await browser.signIn('?return_to=/dashboards?tab=2%23here')
  assert.equal(end.location, `${BASE}/dashboards?tab=2#here`)
  assert.match(
    String(end.answer?.headers['set-cookie']),
    /^corvus_session=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const { body: self } = await browser.call('GET', 'users/self')
  const { username, email, firstname, lastname, created_by } = self.data
  assert.deepEqual(
    [username, email, firstname, lastname, created_by],
    ['ada', 'ada@example.org', 'Ada', 'Lovelace', null],
  )
  const { body } = await browser.call('GET', 'session')
  assert.deepEqual(body.data.limits, [])
  assert.equal((await browser.call('POST', 'users/self/tokens', { data: { name: 'laptop' } })).status, 201)
  const { rows } = await corvus.pool.query(
    'select address, last_seen_at is not null as seen from sessions order by id desc',
  )
  assert.deepEqual(rows[0], { address: '127.0.0.1', seen: true })
})

test('a session that began at a provider still needs its CSRF token for writes', async () => {
  provider.expect({ sub: 'ada-1' })
  const browser = openBrowser(corvus.app)
  await browser.signIn()
  const cookie = `corvus_session=${browser.cookies.get('corvus_session')}`
  const written = await corvus.app.inject({ method: 'DELETE', url: '/api/v2/session', headers: { cookie } })
  assert.equal(written.statusCode, 403)
})

test('the same subject is the same account, even if its other claims change', async () => {
  provider.expect({ sub: 'ada-1', claims: { preferred_username: 'someone-else', email: 'x@example.org' } })
  const browser = openBrowser(corvus.app)
  await browser.signIn()
  assert.equal((await browser.call('GET', 'users/self')).body.data.username, 'ada')
})

test('accounts are never matched by username or e-mail: an unlinked identity is unknown', async () => {
  await corvus.call('POST', 'users', { data: { username: 'victim', email: 'victim@example.org' } })
  provider.expect({ sub: 'thief', claims: { preferred_username: 'victim', email: 'victim@example.org' } })
  assert.equal((await openBrowser(corvus.app).signIn()).location, failed('username_taken'))
  const browser = openBrowser(corvus.app)
  provider.expect({ sub: 'thief-2', claims: { preferred_username: 'thief', email: 'victim@example.org' } })
  await browser.signIn()
  assert.equal((await browser.call('GET', 'users/self')).body.data.username, 'thief')
})

test('if the provider may not create accounts, unknown users are refused and nothing is created', async () => {
  await corvus.call('PATCH', path, { data: { creates_users: false } })
  provider.expect({ sub: 'stranger', claims: { preferred_username: 'stranger' } })
  const browser = openBrowser(corvus.app)
  assert.equal((await browser.signIn()).location, failed('not_linked'))
  assert.equal(browser.cookies.has('corvus_session'), false)
  assert.equal((await corvus.call('GET', 'users?filter[username]=stranger')).body.total_count, 0)
  provider.expect({ sub: 'ada-1' })
  assert.equal((await openBrowser(corvus.app).signIn()).location, `${BASE}/`)
})

test('new users keep the default groups and roles, and the log records them', async () => {
  const role = (await corvus.call('POST', 'roles', { data: { name: 'Newcomer' } })).body.data
  await corvus.call('PATCH', path, { data: { default_groups: [1], default_roles: [role.id] } })
  provider.expect({ sub: 'grace-1', claims: { preferred_username: 'grace', email: 'no address' } })
  const browser = openBrowser(corvus.app)
  for (let time = 0; time < 2; time++) {
    await browser.signIn()
    const { groups, roles, email } = (await browser.call('GET', 'users/self')).body.data
    assert.deepEqual([groups, roles, email], [[`${BASE}/api/v2/groups/1`], [`${BASE}/api/v2/roles/${role.id}`], ''])
  }
  const { id } = (await browser.call('GET', 'users/self')).body.data
  const events = await corvus.call('GET', `history-events?filter[resource]=users&filter[object]=${id}&sort=at`)
  assert.deepEqual(
    events.body.data.map(({ kind, user }: { kind: string; user: string }) => [kind, user]),
    [
      ['create', null],
      ['update', null],
      ['update', null],
    ],
  )
})

test('without the username claim, a new user is named after the subject', async () => {
  provider.expect({ sub: 'only-a-subject' })
  const browser = openBrowser(corvus.app)
  await browser.signIn()
  assert.equal((await browser.call('GET', 'users/self')).body.data.username, 'only-a-subject')
})

test('concurrent first sign-ins create one account', async () => {
  provider.expect({ sub: 'twice-1', claims: { preferred_username: 'twice' } })
  const browsers = [openBrowser(corvus.app), openBrowser(corvus.app)]
  const backs: string[] = []
  for (const browser of browsers) backs.push(await browser.through((await browser.visit(START)).location))
  const ends = await Promise.all(browsers.map((browser, i) => browser.visit(cutBase(backs[i] ?? ''))))
  assert.deepEqual(
    ends.map(({ location }) => location),
    [`${BASE}/`, `${BASE}/`],
  )
})

test('locked, suspended and inactive users are refused', async () => {
  provider.expect({ sub: 'ada-1' })
  const states = ['is_locked = true', 'is_active = false', `suspended_until = now() + interval '1 hour'`]
  for (const state of states) {
    await corvus.pool.query(`update users set ${state} where username = 'ada'`)
    const browser = openBrowser(corvus.app)
    assert.equal((await browser.signIn()).location, failed('account_closed'), state)
    assert.equal(browser.cookies.has('corvus_session'), false)
    await corvus.pool.query(
      `update users set is_locked = false, is_active = true, suspended_until = null where username = 'ada'`,
    )
  }
  await corvus.pool.query(`update users set suspended_until = now() where username = 'ada'`)
  assert.equal((await openBrowser(corvus.app).signIn()).location, `${BASE}/`)
})

test('a callback works once, in the browser that started it, with its own state and before it expires', async () => {
  provider.expect({ sub: 'ada-1' })
  const browser = openBrowser(corvus.app)
  const begin = async () => cutBase(await browser.through((await browser.visit(START)).location))
  const back = await begin()
  const other = openBrowser(corvus.app)
  assert.equal((await other.visit(back)).location, failed('expired'), 'another browser')
  await other.visit(START)
  assert.equal((await other.visit(back)).location, failed('expired'), 'another browser with its own sign-in')
  const tampered = back.replace(/state=[\w-]/, 'state=.')
  assert.equal((await browser.visit(tampered)).location, failed('expired'), 'another state')
  assert.equal((await browser.visit(back.replace(/state=[\w-]+&?/, ''))).location, failed('expired'), 'no state')
  assert.equal((await browser.visit(back)).location, `${BASE}/`, 'the original browser can still finish')
  assert.equal((await browser.visit(back)).location, failed('expired'), 'again')
  const late = await begin()
  await corvus.pool.query('update sign_in_flows set expires_at = now()')
  assert.equal((await browser.visit(late)).location, failed('expired'), 'too late')
  await browser.visit(START)
  const { rows } = await corvus.pool.query(
    'select count(*)::integer as count from sign_in_flows where expires_at <= now()',
  )
  assert.equal(rows[0].count, 0, 'expired sign-ins are deleted')
})

test('a code of another sign-in, a repeated parameter and a different issuer are refused', async () => {
  provider.expect({ sub: 'ada-1' })
  const browser = openBrowser(corvus.app)
  const stolen = new URL(await openBrowser(corvus.app).through((await openBrowser(corvus.app).visit(START)).location))
  const swapped = new URL(await browser.through((await browser.visit(START)).location))
  swapped.searchParams.set('code', stolen.searchParams.get('code') ?? '')
  assert.equal((await browser.visit(cutBase(swapped.href))).location, failed('provider_refused'))
  const doubled = await browser.through((await browser.visit(START)).location)
  assert.equal((await browser.visit(`${cutBase(doubled)}&code=x`)).location, failed('invalid_answer'))
  const mixed = new URL(await browser.through((await browser.visit(START)).location))
  mixed.searchParams.set('iss', 'https://evil.example.org')
  assert.equal((await browser.visit(cutBase(mixed.href))).location, failed('invalid_answer'))
})

test('a user who cancels at the provider returns to the sign-in page', async () => {
  provider.expect({ sub: 'ada-1', isCancelling: true })
  const browser = openBrowser(corvus.app)
  assert.equal((await browser.signIn()).location, failed('cancelled'))
  assert.equal(browser.cookies.has('corvus_session'), false)
})

test('return_to must be a path on this server', async () => {
  const bad = [
    'https://evil.example.org',
    '//evil.example.org',
    '/\\evil.example.org',
    'evil',
    '',
    '/a b',
    '/\t/x',
    '/é',
    `/${'x'.repeat(2000)}`,
  ]
  for (const returnTo of bad) {
    const { status, answer } = await openBrowser(corvus.app).visit(`${START}?return_to=${encodeURIComponent(returnTo)}`)
    assert.equal(status, 400, returnTo)
    assert.match(answer.json()[0].detail, /^return_to: /)
  }
  const { status } = await openBrowser(corvus.app).visit(`${START}?return_to=/a&return_to=/b`)
  assert.equal(status, 400)
  assert.equal((await openBrowser(corvus.app).visit(`${START}?return_to=/${'x'.repeat(1999)}`)).status, 302)
})

test('the audit trail names the user who signed in through the provider', async () => {
  provider.expect({ sub: 'ada-1' })
  const end = await openBrowser(corvus.app).signIn()
  const id = end.answer?.headers['x-request-id']
  const deadline = Date.now() + 5000
  const find = async () =>
    (await corvus.pool.query('select username, status from audit_trail where id = $1', [id])).rows[0]
  while (!(await find()) && Date.now() < deadline) await new Promise((done) => setTimeout(done, 50))
  assert.deepEqual(await find(), { username: 'ada', status: 302 })
})
