import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { providers } from '../ai/providers.ts'
import { settings } from '../registry.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const KEPT = '<PASS_THROUGH_TOKEN>'
const AGAIN = 'must be given again, because it would go to another server'
const details = (body: unknown) => (body as { detail: string }[]).map(({ detail }) => detail)

test('every record with a secret that is sent out declares its recipients', () => {
  const all = [...settings, ...providers.map(({ setting }) => setting)]
  const unbound = all.filter(({ secrets = [], secretsGoTo }) => secrets.length > 0 && !secretsGoTo)
  assert.deepEqual(
    unbound.map(({ name }) => name),
    ['private-key'],
  )
})

test('the mail password is not kept when the server changes', async () => {
  const record = { from_email: 'a@example.org', reply_to: 'a@example.org', host: 'mail.example.org', password: 'hush' }
  const path = 'configurations/email'
  assert.equal((await corvus.call('PUT', path, { data: record })).status, 200)
  const sealed = async () => (await corvus.pool.query(`select value from settings where name = 'email'`)).rows[0].value
  const before = await sealed()
  for (const [method, data] of [
    ['PATCH', { host: 'mail.evil.example' }],
    ['PATCH', { host: 'mail.evil.example', password: KEPT }],
    ['PUT', { ...record, host: 'mail.evil.example', password: KEPT }],
    ['PATCH', { port: 2525 }],
    ['PATCH', { security: 'none' }],
  ] as const) {
    const { status, body } = await corvus.call(method, path, { data })
    assert.deepEqual([status, details(body)], [400, [`data.password: ${AGAIN}`]], JSON.stringify(data))
  }
  assert.deepEqual(await sealed(), before)
  assert.equal((await corvus.call('PATCH', path, { data: { security: 'tls', username: 'me' } })).status, 200)
  assert.equal((await corvus.call('PATCH', path, { data: { host: null } })).status, 200)
  const later = await corvus.call('PATCH', path, { data: { host: 'mail.evil.example' } })
  assert.equal(later.status, 400, 'clearing the server first does not help')
  const again = { host: 'mail.evil.example', password: 'other' }
  assert.equal((await corvus.call('PATCH', path, { data: again })).status, 200)
  assert.equal((await corvus.call('PATCH', path, { data: { host: 'third.example', password: null } })).status, 200)
})

test('the key of a language model provider is not kept when the URL changes', async () => {
  for (const [type, base_url, moved] of [
    ['ai-provider-openai-like', 'https://models.example.org/v1', 'https://models.evil.example/v1'],
    ['ai-provider-ollama', 'https://models.example.org', 'http://models.example.org'],
    ['ai-provider-openai', null, 'https://models.evil.example/v1'],
    ['ai-provider-perplexity', 'https://models.example.org:8443', 'https://models.example.org'],
  ] as const) {
    const put = (data: object) => corvus.call('PUT', 'configurations/ai', { data: { type, ...data } })
    assert.equal((await put({ base_url, api_key: 'sk-hush' })).status, 200)
    const { status, body } = await put({ base_url: moved, api_key: KEPT })
    assert.deepEqual([status, details(body)], [400, [`data.api_key: ${AGAIN}`]], type)
    const { body: kept } = await put({ base_url: base_url && `${base_url}/deeper`, api_key: KEPT })
    assert.equal(kept.data.api_key, KEPT)
    const { body: forgotten } = await put({ base_url: moved })
    assert.equal(forgotten.data.api_key, null)
  }
})

test('a configuration file cannot redirect stored secrets', async () => {
  const record = { from_email: 'a@example.org', reply_to: 'a@example.org', host: 'mail.example.org', password: 'hush' }
  await corvus.call('PUT', 'configurations/email', { data: record })
  const install = (email: object) =>
    corvus.call('POST', 'configurations/install', {
      format: 'corvus-configuration',
      version: 1,
      settings: { email },
    })
  const { status, body } = await install({ host: 'mail.evil.example' })
  assert.deepEqual([status, details(body)], [400, [`settings.email.password: ${AGAIN}`]])
  assert.equal((await install({ host: 'mail.evil.example', password: 'new' })).status, 200)
})

test('the client secret of an identity provider stays with its issuer', async () => {
  const provider = { name: 'Staff', issuer: 'https://login.example.org', client_id: 'corvus', client_secret: 'hush' }
  const { id } = (await corvus.call('POST', 'identity-providers', { data: provider })).body.data
  const patch = (data: object) => corvus.call('PATCH', `identity-providers/${id}`, { data })
  for (const data of [
    { issuer: 'https://login.evil.example' },
    { issuer: 'https://login.evil.example', client_secret: KEPT },
  ]) {
    const { status, body } = await patch(data)
    assert.deepEqual([status, details(body)], [400, [`client_secret: ${AGAIN}`]])
  }
  assert.equal((await patch({ issuer: 'https://login.example.org/realms/staff' })).status, 200)
  assert.equal((await patch({ issuer: 'https://login.other.example', client_secret: null })).status, 200)
  assert.equal((await patch({ issuer: 'https://login.third.example' })).status, 200, 'there is no secret left')
})

test('a webhook needs a new secret for a new receiver, singly and in bulk', async () => {
  const webhook = { name: 'SIEM', url: 'https://siem.example.org/a', secret: 'sixteen characters' }
  const { id } = (await corvus.call('POST', 'webhooks', { data: webhook })).body.data
  const url = 'https://siem.evil.example/a'
  const one = await corvus.call('PATCH', `webhooks/${id}`, { data: { url } })
  assert.deepEqual([one.status, details(one.body)], [400, [`secret: ${AGAIN}`]])
  const many = await corvus.call('PUT', 'webhooks', {
    data: [
      { name: 'Other', url },
      { name: 'SIEM', url, secret: KEPT },
    ],
  })
  assert.equal(many.status, 400)
  const near = await corvus.call('PATCH', `webhooks/${id}`, { data: { url: 'https://siem.example.org/b' } })
  assert.deepEqual([near.status, near.body.data.new_secret], [200, null])
  const made = await corvus.call('PATCH', `webhooks/${id}`, { data: { url, secret: null } })
  assert.deepEqual([made.status, made.body.data.new_secret?.slice(0, 6)], [200, 'whsec_'])
})
