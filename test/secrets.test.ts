import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { openPromise } from 'yauzl'
import { providers } from '../server/ai/providers.ts'
import { collections } from '../server/collections.ts'
import { root } from '../server/config.ts'
import { makePrivateKey } from '../server/domain/openpgp.ts'
import type { Resource } from '../server/engine/definition.ts'
import { SECRETS } from '../server/feeds/transports/connection.ts'
import { resources, routes, settings } from '../server/registry.ts'
import { startApp } from './app.ts'

/** The secrets that were stored, and where; each is unique. */
const secrets = new Map<string, string>()
const lines: string[] = []
const answers: string[] = []

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  corvus = await startApp(undefined, { log, environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
})
after(() => corvus.stop())

function secretOf(place: string): string {
  const secret = `Secret-${randomBytes(12).toString('hex')}!`
  secrets.set(secret, place)
  return secret
}

async function call(...parts: Parameters<typeof corvus.call>) {
  const answer = await corvus.call(...parts)
  answers.push(`${parts[0]} ${parts[1]}: ${JSON.stringify(answer.body)} ${JSON.stringify(answer.headers)}`)
  return answer
}

const secretFields = ({ fields }: Resource): string[] =>
  Object.keys(fields).filter((name) => {
    const { access, storage } = fields[name]?.props ?? {}
    return access === 'secret' || (access === 'write-only' && storage?.kind === 'column' && storage.type !== 'integer')
  })

const kept = resources.filter((resource) => secretFields(resource).length > 0)

/** Sends secrets for an object in every way, in valid and invalid requests, and then deletes the object or keeps it. */
async function fill(resource: Resource, item: Record<string, unknown>): Promise<void> {
  const { path } = collections[resource.collection]
  const withSecrets = (more: Record<string, unknown> = {}) => ({
    ...Object.fromEntries(secretFields(resource).map((name) => [name, secretOf(`${path}.${name}`)])),
    ...more,
  })
  const made = await call('POST', path, { ...item, ...withSecrets() })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  await call('PATCH', `${path}/${made.body.data.id}`, withSecrets())
  await call('PUT', path, [{ ...item, ...withSecrets() }])
  await call('POST', path, { ...item, ...withSecrets() })
  for (const name of secretFields(resource)) {
    await call('PATCH', `${path}/${made.body.data.id}`, { [name]: [secretOf(`${path}.${name} as a list`)] })
    await call('PATCH', `${path}/${made.body.data.id}`, { [name]: `${secretOf(`${path}.${name} with NUL`)}\u0000` })
    await call('GET', `${path}?filter[${name}]=x`)
  }
}

test('secrets are stored in everything that holds secrets', async () => {
  assert.deepEqual(
    kept.map(({ collection }) => collection),
    ['users', 'files', 'webhooks', 'identity_providers', 'incoming_feeds'],
  )
  for (const resource of kept) {
    await fill(resource, { ...resource.example })
    const { path } = collections[resource.collection]
    const name = resource.key[0] ?? ''
    const { body } = await call('POST', path, { ...resource.example, [name]: `gone ${path}`.replaceAll(' ', '-') })
    await call('DELETE', `${path}/${body.data.id}`)
  }
  const ownKey = await makePrivateKey('Team', 'team@example.org', null)
  // A line of the key that occurs nowhere else.
  secrets.set(ownKey.key.split('\n')[3] ?? '', 'private-key.key')
  for (const setting of [...settings, ...providers.map((provider) => provider.setting)]) {
    for (const field of (setting.secrets ?? []) as string[]) {
      const secret = setting.name === 'private-key' ? ownKey.key : secretOf(`${setting.name}.${field}`)
      const record = { from_email: 'a@example.org', reply_to: 'a@example.org', base_url: 'http://127.0.0.1:9' }
      const path = setting.name.startsWith('ai-') ? 'configurations/ai' : `configurations/${setting.name}`
      const set = await call('PUT', path, { data: { type: setting.name, ...record, [field]: secret } })
      assert.equal(set.status, 200, JSON.stringify(set.body))
      await call('PUT', path, { data: { type: setting.name, ...record, [field]: secret, port: 'x', enabled: 7 } })
    }
  }
  assert.ok(secrets.size > 20)
})

test('secrets are stored in the transports of feeds', async () => {
  const configuration = () => ({
    url: 'http://127.0.0.1:9/x',
    ...Object.fromEntries(SECRETS.map((name) => [name, secretOf(`transport_configuration.${name}`)])),
  })
  const ways = [
    ['incoming-feeds', { transport_type: 'http-download' }],
    ['outgoing-feeds', { transport_type: 'http-push', content_type: 'urn:oasis:stix:json:2.1' }],
  ] as const
  for (const [path, item] of ways) {
    const feed = () => ({ name: 'With secrets', is_active: false, ...item, transport_configuration: configuration() })
    const made = await call('POST', path, feed())
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const one = `${path}/${made.body.data.id}`
    await call('PATCH', one, { transport_configuration: configuration() })
    await call('PUT', path, [feed()])
    await call('POST', path, feed())
    await call('PATCH', one, { transport_configuration: { ...configuration(), url: 7, timeout_seconds: 'x' } })
    for (const name of SECRETS) {
      await call('PATCH', one, { transport_configuration: { [name]: [secretOf(`${path} ${name} as a list`)] } })
      await call('PATCH', one, { transport_configuration: { [name]: `${secretOf(`${path} ${name} with NUL`)}\u0000` } })
    }
  }
  const tested = {
    transport_type: 'http-download',
    transport_configuration: configuration(),
    archive_password: secretOf('archive'),
  }
  assert.equal((await call('POST', 'incoming-feeds/test', tested)).status, 202)
})

test('secrets go into the parameters of enrichers', async () => {
  const item = (api_key: unknown) => ({
    name: 'with_secrets',
    enricher: 'builtin:own_service',
    is_active: true,
    supported_observable_types: ['ipv4'],
    parameters: { url: 'http://127.0.0.1:9/x', api_key },
  })
  const made = await call('POST', 'enrichers', item(secretOf('enrichers.api_key')))
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const one = `enrichers/${made.body.data.id}`
  await call('PATCH', one, { parameters: { api_key: secretOf('enrichers.api_key in a patch') } })
  await call('PUT', 'enrichers', [item(secretOf('enrichers.api_key in a list'))])
  await call('POST', 'enrichers', item(secretOf('enrichers.api_key again')))
  await call('PATCH', one, { parameters: { api_key: [secretOf('enrichers.api_key as a list')] } })
  await call('PATCH', one, { parameters: { api_key: `${secretOf('enrichers.api_key with NUL')}\u0000` } })
  await call('PATCH', one, { parameters: { url: 7, api_key: secretOf('enrichers.api_key with a wrong url') } })
  assert.equal((await call('POST', `${one}/test`, { type: 'ipv4', value: '192.0.2.1' })).status, 200)
  const unknown = {
    ...item(secretOf('enrichers.api_key of an unknown function')),
    name: 'unknown',
    enricher: 'http:none',
  }
  assert.equal((await call('POST', 'enrichers', { ...unknown, is_active: false })).status, 201)
})

test('a secret that is shown once is only in that response', async () => {
  const password = secretOf('password')
  const account = { username: 'forgetful', email: 'f@example.org', password }
  const user = (await call('POST', 'users', account)).body.data
  const session = await corvus.call('POST', 'session', { username: 'forgetful', password }, null)
  const cookie = String([session.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
  secrets.set(cookie.split('=')[1] ?? '', 'session cookie')
  const headers = { cookie, 'x-csrf-token': session.body.data.csrf_token }
  const { body } = await corvus.call('POST', 'users/self/tokens', { name: 'shown once' }, null, headers)
  secrets.set(body.data.token, 'token')
  const link = (await corvus.call('POST', `users/${user.id}/password-reset`)).body.data.url
  secrets.set(link.split('#')[1], 'password reset link')
  const hook = (await corvus.call('POST', 'webhooks', { name: 'made', url: 'https://hook.example/in' })).body.data
  assert.ok(hook.new_secret)
  secrets.set(hook.new_secret, 'webhook secret that was made')
})

test('every route that reads is requested', async () => {
  const reading = routes.filter(({ method, path }) => method === 'GET' && !/^\/events\b/.test(path))
  for (const { path, base = '/api/v2' } of reading) {
    const ids = path.includes(':') ? ['1', '2', '3', '4', '00000000-0000-7000-8000-000000000000'] : ['']
    for (const id of ids) await call('GET', `${base}${path.replaceAll(/:\w+/g, id)}`)
  }
  for (const path of ['/metrics', '/health', '/api/v2/openapi.json', '/api/v2/history-events?limit=2000']) {
    await call('GET', path)
  }
  assert.ok(answers.some((answer) => answer.startsWith('GET /api/v2/configurations/export: {')))
  assert.ok(answers.some((answer) => answer.includes('/history-events') && answer.includes('PASS_THROUGH_TOKEN')))
})

test('a backup without its key contains no secret', async () => {
  const file = join(corvus.config.dataFolder, 'backup.zip')
  const { url } = corvus
  const env = { ...process.env, DATABASE_URL: url, CORVUS_DATA: corvus.config.dataFolder }
  await promisify(execFile)(process.execPath, [join(root, 'cli/corvus.ts'), 'backup', file, '--without-key'], { env })
  const zip = await openPromise(file)
  const names: string[] = []
  for await (const entry of zip.eachEntry()) {
    const content = (await buffer(await zip.openReadStreamPromise(entry))).toString()
    names.push(entry.fileName)
    answers.push(`backup ${entry.fileName}: ${content}`)
  }
  assert.ok(names.length > 50 && !names.includes('secret.key'))
})

test('no secret is in a response, an export, a backup, a row or a log line', async () => {
  await corvus.app.close()
  const { rows: tables } = await corvus.pool.query<{ name: string }>(`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
  const texts = [...answers, ...lines]
  for (const { name } of tables) {
    const { rows } = await corvus.pool.query<{ text: string }>(`select to_jsonb(t)::text as text from ${name} as t`)
    texts.push(...rows.map(({ text }) => `${name}: ${text}`))
  }
  assert.ok(texts.length > 500)
  for (const [secret, place] of secrets) {
    const found = texts.filter((text) => text.includes(secret)).map((text) => text.slice(0, 60))
    assert.deepEqual(found, [], place)
  }
})
