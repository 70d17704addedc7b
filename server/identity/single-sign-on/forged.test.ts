import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'
import { openBrowser } from '../../../test/openid-browser.ts'
import { type Forgery, startForger } from '../../../test/openid-forger.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let forger: Awaited<ReturnType<typeof startForger>>
before(async () => {
  corvus = await startApp(undefined, { environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  forger = await startForger()
})
after(async () => {
  await corvus.stop()
  await forger.stop()
})

let counter = 0

/** Signs in with a forged response. Returns the reason for failure, or undefined on success. */
async function reasonFor(forgery: Forgery): Promise<string | undefined> {
  forger.forge(forgery)
  // Metadata is cached per client, so each forger gets its own.
  const data = {
    name: `Forger ${++counter}`,
    issuer: forger.issuer,
    client_id: 'corvus',
    client_secret: `secret ${counter}`,
    is_enabled: true,
    creates_users: true,
  }
  const { body } = await corvus.call('POST', 'identity-providers', { data })
  const browser = openBrowser(corvus.app)
  const { location } = await browser.visit(`/api/v2/session/oidc/start?identity_provider=${body.data.id}`)
  if (location.startsWith(BASE)) return new URL(location).searchParams.get('error') ?? undefined
  forger.forge(forgery, location)
  const state = new URL(location).searchParams.get('state')
  const end = await browser.visit(`/api/v2/session/oidc/callback?code=x&state=${state}`)
  const reason = new URL(end.location).searchParams.get('error') ?? undefined
  assert.equal(browser.cookies.has('corvus_session'), reason === undefined)
  return reason
}

const now = () => Math.floor(Date.now() / 1000)

test('a valid token signs in its subject', async () => {
  assert.equal(await reasonFor({}), undefined)
})

const wrong: [what: string, forgery: () => Forgery][] = [
  ['another nonce', () => ({ claims: { nonce: 'x' } })],
  ['no nonce', () => ({ claims: { nonce: undefined } })],
  ['another issuer', () => ({ claims: { iss: 'https://evil.example.org' } })],
  ['another audience', () => ({ claims: { aud: 'somebody' } })],
  ['several audiences and a foreign authorized party', () => ({ claims: { aud: ['corvus', 'other'], azp: 'other' } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
  ['a subject that is not a string', () => ({ claims: { sub: 7 } })],
  ['a subject that is too long', () => ({ claims: { sub: 'x'.repeat(256) } })],
  ['an expiry in the past', () => ({ claims: { exp: now() - 60 } })],
  ['no expiry', () => ({ claims: { exp: undefined } })],
  ['a start of validity in the future', () => ({ claims: { nbf: now() + 600 } })],
  ['a signature by another key', () => ({ isSignedByAnother: true })],
  ['no signature', () => ({ header: { alg: 'none' } })],
  ['a signature made with the client secret', () => ({ header: { alg: 'HS256' } })],
  ['an unknown key id', () => ({ header: { kid: 'two' } })],
]
for (const [what, forgery] of wrong) {
  test(`a token with ${what} is refused`, async () => {
    assert.equal(await reasonFor(forgery()), 'invalid_answer')
  })
}

test('a token that expired within the allowed clock skew is accepted, and so is a subject of 255 characters', async () => {
  assert.equal(await reasonFor({ claims: { exp: now() - 10, sub: 'y'.repeat(255) } }), undefined)
})

test('a response without an ID token, or a malformed one, is refused', async () => {
  const token = { access_token: 'a', token_type: 'Bearer' }
  assert.equal(await reasonFor({ token: { status: 200, body: token } }), 'invalid_answer')
  assert.equal(await reasonFor({ token: { status: 200, body: [] } }), 'invalid_answer')
  assert.equal(await reasonFor({ token: { status: 500, body: {} } }), 'invalid_answer')
  assert.equal(await reasonFor({ token: { status: 400, body: { error: 'invalid_grant' } } }), 'provider_refused')
  assert.equal(await reasonFor({ token: { status: 400, body: { error: 'invalid_client' } } }), 'provider_refused')
})

test('user info of another subject is refused', async () => {
  const metadata = { userinfo_endpoint: `${forger.issuer}/me` }
  assert.equal(await reasonFor({ metadata, userinfo: { sub: 'somebody' } }), 'invalid_answer')
  assert.equal(await reasonFor({ metadata, userinfo: { sub: 'forged' } }), undefined)
})

test('a provider with a different issuer, or with endpoints that are not web pages, is refused', async () => {
  const reasons = [
    await reasonFor({ metadata: { issuer: 'https://login.example.org' } }),
    await reasonFor({ metadata: { authorization_endpoint: 'javascript:alert(1)' } }),
    await reasonFor({ metadata: { authorization_endpoint: undefined } }),
    await reasonFor({ metadata: { jwks_uri: undefined } }),
  ]
  assert.deepEqual(reasons, Array(4).fill('invalid_answer'))
})

for (const value of [7, 'nonsense', {}, [], null, '']) {
  test(`a provider whose endpoints are ${JSON.stringify(value)} is refused`, async () => {
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      assert.equal(await reasonFor({ metadata: { [name]: value } }), 'invalid_answer', name)
    }
  })
}

test('a sign-out URL that is not a web page is never used', async () => {
  const urlFor = async (end_session_endpoint: string) => {
    assert.equal(await reasonFor({ metadata: { end_session_endpoint } }), undefined)
    const { rows } = await corvus.pool.query('select sign_out_url from sessions order by id desc limit 1')
    return rows[0].sign_out_url
  }
  assert.equal(await urlFor('javascript:alert(1)'), null)
  assert.notEqual(await urlFor(`${forger.issuer}/out`), null)
})

test('endpoints in networks that are not allowed are not called', async () => {
  assert.equal(await reasonFor({ metadata: { token_endpoint: 'http://10.1.2.3/token' } }), 'provider_unreachable')
  assert.equal(await reasonFor({ metadata: { jwks_uri: 'http://169.254.169.254/keys' } }), 'provider_unreachable')
})
