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

/** Signs in with something forged: the reason why it came to nothing, or undefined. */
async function reasonFor(forgery: Forgery): Promise<string | undefined> {
  forger.forge(forgery)
  // What a provider says of itself is remembered for the very client: each has one of its own.
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

test('a token with nothing wrong lets its subject in', async () => {
  assert.equal(await reasonFor({}), undefined)
})

const wrong: [what: string, forgery: () => Forgery][] = [
  ['another nonce', () => ({ claims: { nonce: 'x' } })],
  ['no nonce', () => ({ claims: { nonce: undefined } })],
  ['another issuer', () => ({ claims: { iss: 'https://evil.example.org' } })],
  ['another audience', () => ({ claims: { aud: 'somebody' } })],
  ['several audiences and another party', () => ({ claims: { aud: ['corvus', 'other'], azp: 'other' } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
  ['a subject that is no text', () => ({ claims: { sub: 7 } })],
  ['a subject that is too long', () => ({ claims: { sub: 'x'.repeat(256) } })],
  ['an end in the past', () => ({ claims: { exp: now() - 60 } })],
  ['no end', () => ({ claims: { exp: undefined } })],
  ['a beginning in the future', () => ({ claims: { nbf: now() + 600 } })],
  ['the signature of another key', () => ({ isSignedByAnother: true })],
  ['no signature', () => ({ header: { alg: 'none' } })],
  ['a signature with the secret of the client', () => ({ header: { alg: 'HS256' } })],
  ['a key that the provider does not have', () => ({ header: { kid: 'two' } })],
]
for (const [what, forgery] of wrong) {
  test(`a token with ${what} lets nobody in`, async () => {
    assert.equal(await reasonFor(forgery()), 'invalid_answer')
  })
}

test('a token that ends within the seconds that clocks may differ is good, as is a subject of 255 characters', async () => {
  assert.equal(await reasonFor({ claims: { exp: now() - 10, sub: 'y'.repeat(255) } }), undefined)
})

test('an answer without an ID token, or that is no answer, lets nobody in', async () => {
  const token = { access_token: 'a', token_type: 'Bearer' }
  assert.equal(await reasonFor({ token: { status: 200, body: token } }), 'invalid_answer')
  assert.equal(await reasonFor({ token: { status: 200, body: [] } }), 'invalid_answer')
  assert.equal(await reasonFor({ token: { status: 500, body: {} } }), 'invalid_answer')
  assert.equal(await reasonFor({ token: { status: 400, body: { error: 'invalid_grant' } } }), 'provider_refused')
  assert.equal(await reasonFor({ token: { status: 400, body: { error: 'invalid_client' } } }), 'provider_refused')
})

test('user info of another subject lets nobody in', async () => {
  const metadata = { userinfo_endpoint: `${forger.issuer}/me` }
  assert.equal(await reasonFor({ metadata, userinfo: { sub: 'somebody' } }), 'invalid_answer')
  assert.equal(await reasonFor({ metadata, userinfo: { sub: 'forged' } }), undefined)
})

test('a provider that calls itself otherwise, or sends people to what is no web page, is not followed', async () => {
  const reasons = [
    await reasonFor({ metadata: { issuer: 'https://login.example.org' } }),
    await reasonFor({ metadata: { authorization_endpoint: 'javascript:alert(1)' } }),
    await reasonFor({ metadata: { authorization_endpoint: undefined } }),
    await reasonFor({ metadata: { jwks_uri: undefined } }),
  ]
  assert.deepEqual(reasons, Array(4).fill('invalid_answer'))
})

for (const value of [7, 'nonsense', {}, [], null, '']) {
  test(`a provider whose endpoints are ${JSON.stringify(value)} lets nobody in`, async () => {
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      assert.equal(await reasonFor({ metadata: { [name]: value } }), 'invalid_answer', name)
    }
  })
}

test('nobody is sent to a sign-out that is no web page', async () => {
  const urlFor = async (end_session_endpoint: string) => {
    assert.equal(await reasonFor({ metadata: { end_session_endpoint } }), undefined)
    const { rows } = await corvus.pool.query('select sign_out_url from sessions order by id desc limit 1')
    return rows[0].sign_out_url
  }
  assert.equal(await urlFor('javascript:alert(1)'), null)
  assert.notEqual(await urlFor(`${forger.issuer}/out`), null)
})

test('endpoints that lead into networks which are not allowed are not called', async () => {
  assert.equal(await reasonFor({ metadata: { token_endpoint: 'http://10.1.2.3/token' } }), 'provider_unreachable')
  assert.equal(await reasonFor({ metadata: { jwks_uri: 'http://169.254.169.254/keys' } }), 'provider_unreachable')
})
