import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { BASE, startApp } from '../../../test/app.ts'
import { signIn as signInWithPassword } from '../../../test/browser.ts'
import { adminPassword } from '../../../test/database.ts'
import { openBrowser } from '../../../test/openid-browser.ts'
import { CLIENT, startOpenidProvider } from '../../../test/openid-provider.ts'

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

test('if several providers are enabled, the start must name one of them', async () => {
  const visit = (query: string) => openBrowser(corvus.app).visit(`${START}${query}`)
  assert.equal((await visit('?identity_provider=x')).status, 400)
  assert.equal((await visit('?identity_provider=99999')).status, 404)
  const data = { name: 'Second', issuer: 'https://login.example.org', client_id: 'corvus', is_enabled: true }
  const { body } = await corvus.call('POST', 'identity-providers', { data })
  assert.equal((await visit('')).status, 400)
  assert.equal((await visit(`?identity_provider=${BASE}/api/v2/${path}`)).status, 302)
  await corvus.call('PATCH', `identity-providers/${body.data.id}`, { data: { is_enabled: false } })
  assert.equal((await visit(`?identity_provider=${body.data.id}`)).status, 404)
  await corvus.call('PATCH', path, { data: { is_enabled: false } })
  assert.equal((await visit('')).status, 400)
})

test('a provider that is disabled during a sign-in is refused', async () => {
  provider.expect({ sub: 'ada-1' })
  const browser = openBrowser(corvus.app)
  const back = await browser.through((await browser.visit(START)).location)
  await corvus.call('PATCH', path, { data: { is_enabled: false } })
  assert.equal((await browser.visit(cutBase(back))).location, failed('expired'))
})

test('if the provider refuses the client or is unreachable, the user returns with the reason', async () => {
  provider.expect({ sub: 'ada-1' })
  await corvus.call('PATCH', path, { data: { client_secret: 'wrong' } })
  assert.equal((await openBrowser(corvus.app).signIn()).location, failed('provider_refused'))
  const data = { name: 'Away', issuer: 'http://127.0.0.1:2', client_id: 'corvus', is_enabled: true }
  const { body } = await corvus.call('POST', 'identity-providers', { data })
  const end = await openBrowser(corvus.app).signIn(`?identity_provider=${body.data.id}`)
  assert.equal(end.location, failed('provider_unreachable'))
  await corvus.call('DELETE', `identity-providers/${body.data.id}`)
})

test("a session returns the provider's sign-out URL, a password session does not", async () => {
  provider.expect({ sub: 'ada-1' })
  const browser = openBrowser(corvus.app)
  await browser.signIn()
  const url = new URL((await browser.call('GET', 'session')).body.data.sign_out_url)
  assert.equal(url.origin + url.pathname, `${provider.issuer}/session/end`)
  assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${BASE}/sign-in`)
  assert.equal(url.searchParams.get('client_id'), 'corvus')
  assert.equal((await fetch(url, { redirect: 'manual' })).status, 200)
  assert.equal((await browser.call('DELETE', 'session')).status, 204)
  assert.equal((await browser.call('GET', 'session')).status, 401)
  const other = await signInWithPassword(corvus.app, 'admin', adminPassword)
  assert.equal((await other.call('GET', 'session')).body.data.sign_out_url, null)
})

test('passwords can be disabled only while there is another sign-in method', async () => {
  const set = (password_sign_in_enabled: boolean) =>
    corvus.call('PUT', 'configurations/single-sign-on', { data: { password_sign_in_enabled } })
  const isOn = async () => (await corvus.call('GET', 'session/methods', undefined, null)).body.data.password
  assert.equal((await corvus.call('GET', 'configurations/single-sign-on')).body.data.password_sign_in_enabled, true)
  await set(false)
  assert.equal(await isOn(), false)
  for (const password of [adminPassword, 'wrong']) {
    const { status, body } = await signInWithPassword(corvus.app, 'admin', password)
    assert.equal(status, 403)
    assert.match(body[0].detail, /^Password sign-in is disabled/)
  }
  await corvus.call('PATCH', path, { data: { is_enabled: false } })
  assert.equal(await isOn(), true)
  assert.equal((await signInWithPassword(corvus.app, 'admin', adminPassword)).status, 200)
  await set(true)
})

test('secrets appear in plain text neither in the database nor in log lines', async () => {
  provider.expect({ sub: 'ada-1' })
  const browser = openBrowser(corvus.app)
  const { location } = await browser.visit(START)
  const { nonce = '', state = '' } = Object.fromEntries(new URL(location).searchParams)
  const flow = browser.cookies.get('corvus_sign_in') ?? ''
  const back = await browser.through(location)
  const kept = async (table: string) =>
    (await corvus.pool.query(`select to_jsonb(t)::text as row from ${table} as t`)).rows.map(({ row }) => row)
  const flows = await kept('sign_in_flows')
  await browser.visit(cutBase(back))
  const session = browser.cookies.get('corvus_session') ?? ''
  const code = new URL(back).searchParams.get('code') ?? ''
  const texts = [...flows, ...(await kept('sessions')), ...(await kept('identity_providers')), ...lines]
  assert.ok(flows.length > 0 && lines.length > 0)
  const secrets = [nonce, state, flow, code, session, CLIENT.client_secret, 'id_token_hint']
  for (const [i, secret] of secrets.entries()) {
    assert.ok(secret.length > 10)
    assert.deepEqual(
      texts.filter((text) => text.includes(secret)),
      [],
      `secret ${i}`,
    )
  }
})
