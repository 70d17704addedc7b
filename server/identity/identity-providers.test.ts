import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { BASE, startApp } from '../../test/app.ts'
import { startForger } from '../../test/openid-forger.ts'
import { CLIENT, startOpenidProvider } from '../../test/openid-provider.ts'

const lines: string[] = []
let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startOpenidProvider>>
let forger: Awaited<ReturnType<typeof startForger>>
before(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  corvus = await startApp(undefined, { log, environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  provider = await startOpenidProvider()
  forger = await startForger()
})
after(async () => {
  await corvus.stop()
  await provider.stop()
  await forger.stop()
})
beforeEach(() => forger.forge({}))

let counter = 0
const make = async (fields: Record<string, unknown> = {}, token = corvus.admin) => {
  const data = { name: `Provider ${++counter}`, issuer: provider.issuer, ...CLIENT, ...fields }
  return corvus.call('POST', 'identity-providers', { data }, token)
}
const details = ({ body }: { body: { detail: string }[] }) => body.map(({ detail }) => detail)
const testOf = async (fields: Record<string, unknown>) => {
  const { body } = await make(fields)
  const tested = await corvus.call('POST', `identity-providers/${body.data.id}/test`)
  assert.equal(tested.status, 200, JSON.stringify(tested.body))
  return tested.body.data
}

test('a new provider is disabled by default and grants nothing', async () => {
  const { body } = await corvus.call('POST', 'identity-providers', {
    data: { name: 'Plain', issuer: 'https://login.example.org', client_id: 'corvus' },
  })
  const { id, created_at, created_by, last_updated_at, last_updated_by, ...fields } = body.data
  assert.deepEqual(fields, {
    name: 'Plain',
    issuer: 'https://login.example.org',
    client_id: 'corvus',
    client_secret: null,
    scopes: ['openid', 'profile', 'email'],
    is_enabled: false,
    username_claim: 'preferred_username',
    second_factor_values: ['mfa'],
    creates_users: false,
    default_groups: [],
    default_roles: [],
    removes_memberships: true,
  })
})

test('every invalid field is reported, and no secret is echoed', async () => {
  const bad = {
    name: '',
    issuer: 'ftp://example.org',
    client_id: '',
    client_secret: 1_234_567,
    scopes: ['profile'],
    is_enabled: 'yes',
    username_claim: '',
  }
  const refused = await corvus.call('POST', 'identity-providers', { data: bad })
  assert.equal(refused.status, 400)
  const named = ['name', 'issuer', 'client_id', 'client_secret', 'scopes', 'is_enabled', 'username_claim']
  assert.deepEqual(
    details(refused).map((detail) => detail.split(':')[0]),
    named.map((name) => `data.${name}`),
  )
  assert.doesNotMatch(JSON.stringify(refused.body), /1234567/)
  const issuers = [
    'https://a:b@example.org',
    'https://example.org?x',
    'https://example.org/.well-known/openid-configuration',
  ]
  for (const issuer of issuers) assert.equal((await make({ issuer })).status, 400, issuer)
  for (const scopes of [[], ['openid', 'a b'], ['openid', '']]) assert.equal((await make({ scopes })).status, 400)
})

test('the client secret is sealed at rest, kept when its placeholder is sent back, replaced and removed', async () => {
  const { body } = await make()
  const path = `identity-providers/${body.data.id}`
  const stored = async () => {
    const { rows } = await corvus.pool.query('select client_secret from identity_providers where id = $1', [
      body.data.id,
    ])
    return rows[0].client_secret as string | null
  }
  const first = await stored()
  assert.equal(body.data.client_secret, '<PASS_THROUGH_TOKEN>')
  assert.ok(first && !first.includes(CLIENT.client_secret))
  await corvus.call('PATCH', path, { data: { client_secret: '<PASS_THROUGH_TOKEN>', client_id: 'other' } })
  assert.equal(await stored(), first)
  await corvus.call('PATCH', path, { data: { client_secret: 'another' } })
  assert.notEqual(await stored(), first)
  for (const none of [null, '']) {
    await corvus.call('PATCH', path, { data: { client_secret: 'another' } })
    const { body: cleared } = await corvus.call('PATCH', path, { data: { client_secret: none } })
    assert.equal(cleared.data.client_secret, null)
    assert.equal(await stored(), null)
  }
})

test('the test endpoint runs discovery, authenticates the client and returns the redirect URI to register', async () => {
  assert.deepEqual(await testOf({}), {
    is_working: true,
    problems: [],
    has_sign_out: true,
    redirect_uri: `${BASE}/api/v2/session/oidc/callback`,
  })
  assert.deepEqual(provider.asked.slice(-2), ['GET /.well-known/openid-configuration', 'POST /token'])
})

test('the test endpoint reports problems in our own words', async () => {
  const problems = async (fields: Record<string, unknown>) => (await testOf(fields)).problems
  assert.deepEqual(await problems({ client_secret: 'wrong' }), [
    'The provider does not accept the client id or client secret.',
  ])
  assert.deepEqual(await problems({ client_id: 'nobody' }), [
    'The provider does not accept the client id or client secret.',
  ])
  assert.deepEqual(await problems({ scopes: ['openid', 'galaxy'] }), [
    'The provider does not support these scopes: galaxy.',
  ])
  assert.deepEqual(await problems({ issuer: 'http://127.0.0.1:2' }), [
    'The provider could not be reached: the connection failed (ECONNREFUSED).',
  ])
  assert.deepEqual(await problems({ issuer: 'http://10.255.0.1' }), [
    'The provider could not be reached: 10.255.0.1 must be called over https, or CORVUS_ALLOWED_NETWORKS must list it.',
  ])
  assert.deepEqual(await problems({ issuer: 'https://10.255.0.1' }), [
    'The provider could not be reached: 10.255.0.1 is not a public address, and CORVUS_ALLOWED_NETWORKS does not list it.',
  ])
  assert.deepEqual(await problems({ issuer: `${provider.issuer}/elsewhere` }), [
    'The provider responded with an unexpected status.',
  ])
})

test('the test endpoint detects invalid provider metadata', async () => {
  const problems = async (metadata: Record<string, unknown>) => {
    forger.forge({ metadata, token: { status: 400, body: { error: 'invalid_grant' } } })
    return (await testOf({ issuer: forger.issuer })).problems
  }
  assert.deepEqual(await problems({}), [])
  assert.deepEqual(await problems({ issuer: 'https://other.example.org' }), [
    "The provider's metadata names a different issuer.",
  ])
  assert.deepEqual(await problems({ jwks_uri: undefined, authorization_endpoint: undefined }), [
    "The provider's metadata has no authorization endpoint.",
    "The provider's metadata has no JWKS address.",
  ])
  assert.deepEqual(await problems({ code_challenge_methods_supported: ['plain'] }), [
    'The provider does not support PKCE with S256.',
  ])
  assert.deepEqual(await problems({ id_token_signing_alg_values_supported: ['HS256', 'none'] }), [
    'The provider does not support a signature algorithm that can be verified.',
  ])
  assert.deepEqual(await problems({ token_endpoint_auth_methods_supported: ['private_key_jwt'] }), [
    'The provider accepts a client secret neither in the header nor in the body.',
  ])
  for (const garbage of [7, {}, 'x', null]) {
    const wrong = { scopes_supported: garbage, id_token_signing_alg_values_supported: garbage, jwks_uri: garbage }
    assert.notEqual((await problems(wrong)).length, 0, JSON.stringify(garbage))
  }
  assert.deepEqual(await problems({ token_endpoint: undefined }), ["The provider's metadata has no token endpoint."])
  forger.forge({ claims: { nonce: undefined } })
  assert.deepEqual((await testOf({ issuer: forger.issuer })).problems, [
    'The provider issued tokens for an authorization code that it never issued.',
  ])
})

test('the client secret is sent in the header, in the body if the provider requires it, or not at all if there is none', async () => {
  const told = async (metadata: Record<string, unknown>, fields: Record<string, unknown> = {}) => {
    forger.forge({ metadata, token: { status: 400, body: { error: 'invalid_grant' } } })
    await testOf({ issuer: forger.issuer, ...fields })
    return forger.asked.at(-1)?.headers.authorization
  }
  assert.match(String(await told({})), /^Basic /)
  assert.equal(await told({ token_endpoint_auth_methods_supported: ['client_secret_post'] }), undefined)
  assert.equal(await told({}, { client_secret: null }), undefined)
})

test('the test endpoint requires an existing provider and the modify permission', async () => {
  assert.equal((await corvus.call('POST', 'identity-providers/99999/test')).status, 404)
  assert.equal((await corvus.call('POST', 'identity-providers/x/test')).status, 404)
  const token = await corvus.tokenFor(['read configurations'])
  const { body } = await make()
  assert.equal((await corvus.call('POST', `identity-providers/${body.data.id}/test`, undefined, token)).status, 403)
})

test('a caller cannot create a provider or mapping that grants what they do not hold', async () => {
  const roles = (await corvus.call('GET', 'roles?filter[name]=System Admin')).body.data
  const secret = (await corvus.call('POST', 'groups', { data: { name: 'Secret' } })).body.data
  const own = ['read configurations', 'modify configurations', 'modify user-roles', 'modify user-groups']
  const token = await corvus.tokenFor(own)
  const refused = await make({ default_roles: [roles[0].id] }, token)
  assert.equal(refused.status, 403)
  assert.match(details(refused)[0] ?? '', /^Missing permissions: \[.*modify users/)
  assert.deepEqual(details(await make({ default_groups: [secret.id] }, token)), [
    'You cannot give others access to sources that you cannot see: the group sees sources that you do not.',
  ])
  assert.equal((await make({ default_groups: [1] }, token)).status, 201)
  assert.equal((await make({ default_groups: [1] }, await corvus.tokenFor(own.slice(0, 2)))).status, 403)
})

test('a caller cannot change a provider, or its mappings, when those mappings grant more than the caller holds', async () => {
  const own = ['read configurations', 'modify configurations', 'modify user-roles', 'modify user-groups']
  const token = await corvus.tokenFor(own)
  const [admin] = (await corvus.call('GET', 'roles?filter[name]=System Admin')).body.data
  const made = (await make()).body.data
  const map = (fields: Record<string, unknown>, by?: string) =>
    corvus.call('POST', 'identity-provider-mappings', { data: { identity_provider: made.id, ...fields } }, by)
  assert.equal((await map({ value: 'x', roles: [admin.id] }, token)).status, 403)
  assert.equal((await map({ value: 'x', groups: [1] }, token)).status, 201)
  const { body } = await map({ value: 'admins', roles: [admin.id] })
  assert.equal(body.data.claim, 'groups')
  assert.deepEqual(body.data.roles, [`${BASE}/api/v2/roles/${admin.id}`])
  assert.equal(body.data.identity_provider, `${BASE}/api/v2/identity-providers/${made.id}`)
  const attempts: [Parameters<typeof corvus.call>[0], string, unknown][] = [
    ['PATCH', `identity-provider-mappings/${body.data.id}`, { data: { value: 'everybody' } }],
    ['PATCH', `identity-provider-mappings/${body.data.id}`, { data: { roles: [] } }],
    ['DELETE', `identity-provider-mappings/${body.data.id}`, undefined],
    ['PATCH', `identity-providers/${made.id}`, { data: { issuer: 'https://mine.example.org' } }],
    ['DELETE', `identity-providers/${made.id}`, undefined],
  ]
  for (const [method, path, sent] of attempts) {
    assert.equal((await corvus.call(method, path, sent, token)).status, 403, `${method} ${path}`)
  }
  for (const [method, path, sent] of attempts.slice(0, 3)) {
    assert.ok((await corvus.call(method, path, sent)).status < 300, `${method} ${path}`)
  }
})

test('mappings are deleted with their provider, and deleted groups and roles are removed from mappings', async () => {
  const { id } = (await make()).body.data
  const group = (await corvus.call('POST', 'groups', { data: { name: 'Short-lived' } })).body.data
  const { body } = await corvus.call('POST', 'identity-provider-mappings', {
    data: { identity_provider: id, value: 'v', groups: [group.id] },
  })
  const twice = await corvus.call('POST', 'identity-provider-mappings', { data: { identity_provider: id, value: 'v' } })
  assert.equal(twice.status, 409)
  await corvus.call('DELETE', `groups/${group.id}`)
  const path = `identity-provider-mappings/${body.data.id}`
  assert.deepEqual((await corvus.call('GET', path)).body.data.groups, [])
  await corvus.call('DELETE', `identity-providers/${id}`)
  assert.equal((await corvus.call('GET', path)).status, 404)
  const unknown = await corvus.call('POST', 'identity-provider-mappings', {
    data: { identity_provider: id, value: 'v' },
  })
  assert.equal(unknown.status, 400)
})

test('secrets appear neither in the change log nor in log lines', async () => {
  const { rows } = await corvus.pool.query('select to_jsonb(c)::text as row from changes as c')
  assert.ok(rows.length > 10 && lines.length > 10)
  for (const secret of [CLIENT.client_secret, '1234567']) {
    assert.deepEqual(
      [...rows.map(({ row }) => row), ...lines].filter((text) => text.includes(secret)),
      [],
    )
  }
})
