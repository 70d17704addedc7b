import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type Browser, signIn } from '../../test/browser.ts'
import { adminPassword } from '../../test/database.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let browser: Browser
before(async () => {
  corvus = await startApp()
  browser = await signIn(corvus.app, 'admin', adminPassword)
})
after(() => corvus.stop())

test('a token is shown once, works, and only its hash is stored', async () => {
  const { status, body } = await browser.call('POST', 'users/self/tokens', { data: { name: 'Splunk' } })
  assert.equal(status, 201)
  assert.match(body.data.token, /^cvs_[\w-]{43}$/)
  assert.equal((await corvus.call('GET', 'users/self', undefined, body.data.token)).body.data.username, 'admin')
  const listed = await browser.call('GET', 'users/self/tokens')
  const { token, ...shown } = body.data
  assert.equal(listed.body.data.length, 1)
  assert.deepEqual({ ...listed.body.data[0], last_used_at: null }, shown)
  const { rows } = await corvus.pool.query('select * from tokens')
  assert.ok(!JSON.stringify(rows).includes(token.slice(4)))
})

test('only a browser session can create a token', async () => {
  const { status, body } = await corvus.call('POST', 'users/self/tokens', { data: { name: 'x' } })
  assert.equal(status, 403)
  assert.equal(body[0].detail, 'This requires a browser session; an API token is not accepted.')
})

test('token names are unique per user', async () => {
  await browser.call('POST', 'users/self/tokens', { data: { name: 'Same' } })
  assert.equal((await browser.call('POST', 'users/self/tokens', { data: { name: 'Same' } })).status, 409)
  await corvus.call('POST', 'users', { data: { username: 'ada', password: 'Correct horse 1!' } })
  const ada = await signIn(corvus.app, 'ada', 'Correct horse 1!')
  assert.equal((await ada.call('POST', 'users/self/tokens', { data: { name: 'Same' } })).status, 201)
})

test('a token may expire, but its expiry cannot be in the past', async () => {
  const make = (name: string, expires_at: string) =>
    browser.call('POST', 'users/self/tokens', { data: { name, expires_at } })
  assert.equal((await make('past', '2020-01-01T00:00:00Z')).status, 400)
  assert.equal((await make('nonsense', 'tomorrow')).status, 400)
  const { body } = await make('future', '2090-01-01T00:00:00Z')
  assert.equal(body.data.expires_at, '2090-01-01T00:00:00.000000+00:00')
})

test('a revoked token is rejected from the next request on', async () => {
  const { id, token } = (await browser.call('POST', 'users/self/tokens', { data: { name: 'Brief' } })).body.data
  assert.equal((await corvus.call('GET', 'users/self', undefined, token)).status, 200)
  assert.equal((await browser.call('DELETE', `users/self/tokens/${id}`)).status, 204)
  assert.equal((await corvus.call('GET', 'users/self', undefined, token)).status, 401)
  assert.equal((await browser.call('DELETE', `users/self/tokens/${id}`)).status, 404)
  assert.equal((await browser.call('DELETE', 'users/self/tokens/x')).status, 404)
})

test('users can neither see nor revoke the tokens of others', async () => {
  const { id } = (await browser.call('POST', 'users/self/tokens', { data: { name: 'Private' } })).body.data
  const token = await corvus.tokenFor('all')
  const listed = (await corvus.call('GET', 'users/self/tokens', undefined, token)).body.data
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ['test'],
  )
  assert.equal((await corvus.call('DELETE', `users/self/tokens/${id}`, undefined, token)).status, 404)
})
