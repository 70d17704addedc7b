import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'
import { signIn as signInWithPassword } from '../../../test/browser.ts'
import { openBrowser } from '../../../test/openid-browser.ts'
import { CLIENT, startOpenidProvider } from '../../../test/openid-provider.ts'

const PASSWORD = 'Correct horse 1!'

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startOpenidProvider>>
let id: number
before(async () => {
  corvus = await startApp(undefined, { environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  provider = await startOpenidProvider()
  const data = { name: 'Staff login', issuer: provider.issuer, ...CLIENT, is_enabled: true }
  id = (await corvus.call('POST', 'identity-providers', { data })).body.data.id
})
after(async () => {
  await corvus.stop()
  await provider.stop()
})

/** Opens a browser in which a user has signed in with a password. */
async function openAs(username: string) {
  await corvus.call('PUT', 'users', { data: [{ username, password: PASSWORD }] })
  const browser = openBrowser(corvus.app)
  const { headers } = await signInWithPassword(corvus.app, username, PASSWORD)
  browser.cookies.set('corvus_session', String(headers.cookie).split('=')[1] ?? '')
  return browser
}

/** Links the provider's current user to the user of a browser, and returns where the browser ends up. */
async function linkIn(browser: Awaited<ReturnType<typeof openAs>>, return_to = '/profile') {
  const { status, body } = await browser.call('POST', 'users/self/identities', {
    data: { identity_provider: id, return_to },
  })
  assert.equal(status, 200, JSON.stringify(body))
  const back = await browser.through(body.data.url)
  return (await browser.visit(back.replace(BASE, ''))).location
}

const identitiesOf = async (browser: Awaited<ReturnType<typeof openAs>>) =>
  (await browser.call('GET', 'users/self/identities')).body.data

const signInAs = async (sub: string) => {
  provider.expect({ sub })
  const browser = openBrowser(corvus.app)
  return { browser, location: (await browser.signIn()).location }
}

test('a signed-in user links an identity, keeps the session, and can sign in with it from then on', async () => {
  const browser = await openAs('ada')
  const before = browser.cookies.get('corvus_session')
  provider.expect({ sub: 'ada-1' })
  assert.equal(await linkIn(browser), `${BASE}/profile`)
  assert.equal(browser.cookies.get('corvus_session'), before)
  const [identity] = await identitiesOf(browser)
  assert.deepEqual([identity.issuer, identity.subject], [provider.issuer, 'ada-1'])
  const { browser: later } = await signInAs('ada-1')
  assert.equal((await later.call('GET', 'users/self')).body.data.username, 'ada')
  assert.equal(await linkIn(browser), `${BASE}/profile`, 'linking again changes nothing')
  assert.equal((await identitiesOf(browser)).length, 1)
})

test('an identity cannot be linked to a second account', async () => {
  const browser = await openAs('grace')
  provider.expect({ sub: 'ada-1' })
  assert.equal(await linkIn(browser, '/profile?tab=1'), `${BASE}/profile?tab=1&error=already_linked`)
  assert.deepEqual(await identitiesOf(browser), [])
})

test('linking is not signing in: without the session that started it, nothing is linked', async () => {
  const browser = await openAs('grace')
  provider.expect({ sub: 'grace-1' })
  const begin = async () => {
    const { body } = await browser.call('POST', 'users/self/identities', { data: { identity_provider: id } })
    return (await browser.through(body.data.url)).replace(BASE, '')
  }
  const session = browser.cookies.get('corvus_session') ?? ''
  const back = await begin()
  browser.cookies.delete('corvus_session')
  assert.equal((await browser.visit(back)).location, `${BASE}/?error=expired`)
  browser.cookies.set('corvus_session', session)
  const other = await begin()
  const somebodyElse = await openAs('ada')
  browser.cookies.set('corvus_session', somebodyElse.cookies.get('corvus_session') ?? '')
  assert.equal((await browser.visit(other)).location, `${BASE}/?error=expired`)
  browser.cookies.set('corvus_session', session)
  const ended = await begin()
  await browser.call('DELETE', 'session')
  assert.match((await browser.visit(ended)).location, /error=expired/)
  assert.deepEqual((await corvus.call('GET', 'user-identities?filter[subject]=grace-1')).body.total_count, 0)
})

test('linking requires a browser session, its CSRF token and an enabled provider', async () => {
  const data = { identity_provider: id }
  assert.equal((await corvus.call('POST', 'users/self/identities', { data })).status, 403)
  const { cookies } = await openAs('ada')
  const written = await corvus.app.inject({
    method: 'POST',
    url: '/api/v2/users/self/identities',
    headers: { cookie: `corvus_session=${cookies.get('corvus_session')}` },
    payload: { data },
  })
  assert.equal(written.statusCode, 403)
  const browser = await openAs('ada')
  const ask = (sent: object) => browser.call('POST', 'users/self/identities', { data: sent })
  assert.equal((await ask({ identity_provider: 99999 })).status, 404)
  assert.equal((await ask({ identity_provider: id, return_to: '//evil.example.org' })).status, 400)
  assert.equal((await ask({})).status, 400)
  const away = { name: 'Away', issuer: 'http://127.0.0.1:2', client_id: 'x', is_enabled: true }
  const made = await corvus.call('POST', 'identity-providers', { data: away })
  const refused = await ask({ identity_provider: made.body.data.id })
  assert.equal(refused.status, 503)
  assert.match(refused.body[0].detail, /^The provider could not be reached/)
  await corvus.call('DELETE', `identity-providers/${made.body.data.id}`)
})

test('an administrator can link an issuer and subject to a user, who can then sign in there', async () => {
  const user = (await corvus.call('POST', 'users', { data: { username: 'linus' } })).body.data
  const pair = { issuer: provider.issuer, subject: 'linus-1' }
  assert.match((await signInAs('linus-1')).location, /error=not_linked/)
  const made = await corvus.call('POST', 'user-identities', { data: { user: user.id, ...pair } })
  assert.equal(made.status, 201)
  const { browser } = await signInAs('linus-1')
  assert.equal((await browser.call('GET', 'users/self')).body.data.username, 'linus')
  const [identity] = await identitiesOf(browser)
  const refused = await browser.call('DELETE', `users/self/identities/${identity.id}`)
  assert.equal(refused.status, 409)
  assert.match(refused.body[0].detail, /^This identity is the only way to sign in/)
  assert.equal((await corvus.call('DELETE', `user-identities/${made.body.data.id}`)).status, 204)
  assert.equal((await browser.call('GET', 'users/self')).status, 401, 'the session ends when its identity is unlinked')
})

test('the same subject at another issuer is a different identity', async () => {
  const user = (await corvus.call('POST', 'users', { data: { username: 'other-issuer' } })).body.data
  const issuer = 'https://login.example.org'
  await corvus.call('POST', 'user-identities', { data: { user: user.id, issuer, subject: 'shared' } })
  assert.match((await signInAs('shared')).location, /error=not_linked/)
})

test('users can unlink their own identities, but not those of others', async () => {
  const browser = await openAs('ada')
  const [identity] = await identitiesOf(browser)
  const thief = await openAs('grace')
  assert.equal((await thief.call('DELETE', `users/self/identities/${identity.id}`)).status, 404)
  assert.equal((await thief.call('DELETE', 'users/self/identities/x')).status, 404)
  const { browser: begun } = await signInAs('ada-1')
  assert.equal((await browser.call('DELETE', `users/self/identities/${identity.id}`)).status, 204)
  assert.equal((await begun.call('GET', 'users/self')).status, 401)
  assert.equal((await browser.call('GET', 'users/self')).status, 200)
  assert.match((await signInAs('ada-1')).location, /error=not_linked/)
})

test('a caller cannot link an identity to a user who has more permissions or sees more', async () => {
  const token = await corvus.tokenFor(['read users', 'modify users'])
  const link = (user: number, subject: string) =>
    corvus.call('POST', 'user-identities', { data: { user, issuer: provider.issuer, subject } }, token)
  assert.equal((await link(1, 'mine')).status, 403)
  const seer = (await corvus.call('POST', 'users', { data: { username: 'seer' } })).body.data
  await corvus.call('POST', 'groups', { data: { name: 'Seers', users: [seer.id] } })
  assert.equal((await link(seer.id, 'mine')).status, 403)
  const plain = (await corvus.call('POST', 'users', { data: { username: 'plain' } })).body.data
  assert.equal((await link(plain.id, 'mine')).status, 201)
  const strong = await corvus.call('POST', 'user-identities', {
    data: { user: 1, issuer: 'https://x.org', subject: 'a' },
  })
  assert.equal((await corvus.call('DELETE', `user-identities/${strong.body.data.id}`, undefined, token)).status, 403)
  for (const bad of [{ subject: '' }, { subject: 'x'.repeat(256) }, { issuer: '' }, { user: 99999 }]) {
    const data = { user: plain.id, issuer: 'https://x.org', subject: 'b', ...bad }
    assert.equal((await corvus.call('POST', 'user-identities', { data })).status, 400, JSON.stringify(bad))
  }
})

test('deleting a user deletes their identities', async () => {
  const { body } = await corvus.call('POST', 'users', { data: { username: 'brief' } })
  const data = { user: body.data.id, issuer: provider.issuer, subject: 'brief-1' }
  await corvus.call('POST', 'user-identities', { data })
  await corvus.call('DELETE', `users/${body.data.id}`)
  assert.match((await signInAs('brief-1')).location, /error=not_linked/)
})
