import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { BASE, startApp } from '../../../test/app.ts'
import { openBrowser } from '../../../test/openid-browser.ts'
import { CLIENT, startOpenidProvider } from '../../../test/openid-provider.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let other: FastifyInstance
let provider: Awaited<ReturnType<typeof startOpenidProvider>>
let id: number
before(async () => {
  corvus = await startApp(undefined, { environment: { CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  other = await buildApp({ ...corvus, log: pino({ level: 'silent' }) })
  provider = await startOpenidProvider()
  const data = { name: 'Staff login', issuer: provider.issuer, ...CLIENT, is_enabled: true, creates_users: true }
  id = (await corvus.call('POST', 'identity-providers', { data })).body.data.id
})
after(async () => {
  await other.close()
  await corvus.stop()
  await provider.stop()
})

let counter = 0
const makeGroup = async () =>
  (await corvus.call('POST', 'groups', { data: { name: `Group ${++counter}` } })).body.data.id
const makeRole = async (permissions: string[] = []) => {
  const all = (await corvus.call('GET', 'permissions?limit=100')).body.data
  const ids = all
    .filter(({ name }: { name: string }) => permissions.includes(name))
    .map((each: { id: number }) => each.id)
  return (await corvus.call('POST', 'roles', { data: { name: `Role ${++counter}`, permissions: ids } })).body.data.id
}
const map = async (value: string, gifts: { groups?: number[]; roles?: number[] }, claim = 'groups') => {
  const data = { identity_provider: id, claim, value, ...gifts }
  const made = await corvus.call('POST', 'identity-provider-mappings', { data })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return `identity-provider-mappings/${made.body.data.id}`
}

/** Signs a user in, and returns their groups and roles. */
async function signIn(sub: string, claims: Record<string, unknown>) {
  provider.expect({ sub, claims: { preferred_username: sub, ...claims } })
  const browser = openBrowser(corvus.app)
  assert.equal((await browser.signIn()).location, `${BASE}/`)
  const { id: user, groups, roles } = (await browser.call('GET', 'users/self')).body.data
  const ids = (urls: string[]) => urls.map((url) => Number(url.split('/').at(-1)))
  return { user, browser, groups: ids(groups), roles: ids(roles) }
}

test('each sign-in grants what the claims map to and revokes what they no longer do', async () => {
  const [one, two, role] = [await makeGroup(), await makeGroup(), await makeRole()]
  await map('first', { groups: [one], roles: [role] })
  await map('second', { groups: [one, two] })
  const has = async (claims: Record<string, unknown>) => {
    const { groups, roles } = await signIn('mapped', claims)
    return [groups, roles]
  }
  assert.deepEqual(await has({ groups: ['first'] }), [[one], [role]])
  assert.deepEqual(await has({ groups: ['first', 'second', 'unknown'] }), [[one, two], [role]])
  assert.deepEqual(await has({ groups: ['second'] }), [[one, two], []])
  assert.deepEqual(await has({ groups: 'first' }), [[one], [role]])
  assert.deepEqual(await has({ groups: [{ name: 'first' }, null, ['first'], 'First', ' first'] }), [[], []])
  assert.deepEqual(await has({ groups: ['first'] }), [[one], [role]])
  assert.deepEqual(await has({}), [[], []])
})

test('claims may be nested or contain dots in their names', async () => {
  const [one, two] = [await makeGroup(), await makeGroup()]
  await map('analyst', { groups: [one] }, 'realm_access.roles')
  await map('analyst', { groups: [two] }, 'realm_access.roles.0')
  const { groups } = await signIn('nested', { realm_access: { roles: ['analyst'] } })
  assert.deepEqual(groups, [one, two])
  assert.deepEqual((await signIn('nested', { realm_access: ['analyst'] })).groups, [])
})

test('memberships granted by hand are kept, whatever the claims', async () => {
  const [byHand, mapped] = [await makeGroup(), await makeGroup()]
  await map('hand', { groups: [byHand, mapped] })
  const { user } = await signIn('handed', {})
  await corvus.call('PATCH', `users/${user}`, { data: { groups: [byHand] } })
  assert.deepEqual((await signIn('handed', { groups: ['hand'] })).groups, [byHand, mapped])
  assert.deepEqual((await signIn('handed', {})).groups, [byHand])
})

test('memberships are revoked when their mapping is deleted or changed', async () => {
  const [one, two] = [await makeGroup(), await makeGroup()]
  const path = await map('gone', { groups: [one] })
  assert.deepEqual((await signIn('leaver', { groups: ['gone'] })).groups, [one])
  await corvus.call('PATCH', path, { data: { groups: [two] } })
  assert.deepEqual((await signIn('leaver', { groups: ['gone'] })).groups, [two])
  await corvus.call('DELETE', path)
  assert.deepEqual((await signIn('leaver', { groups: ['gone'] })).groups, [])
})

test('a provider that only adds memberships never revokes any', async () => {
  const one = await makeGroup()
  await map('added', { groups: [one] })
  await corvus.call('PATCH', `identity-providers/${id}`, { data: { removes_memberships: false } })
  await signIn('adder', { groups: ['added'] })
  assert.deepEqual((await signIn('adder', {})).groups, [one])
  await corvus.call('PATCH', `identity-providers/${id}`, { data: { removes_memberships: true } })
  assert.deepEqual((await signIn('adder', {})).groups, [])
})

test('nothing is revoked if the provider delivers the claim elsewhere', async () => {
  const one = await makeGroup()
  await map('many', { groups: [one] })
  await signIn('overflow', { groups: ['many'] })
  assert.deepEqual((await signIn('overflow', { _claim_names: { groups: 'src1' } })).groups, [one])
  assert.deepEqual((await signIn('overflow', {})).groups, [])
})

test('the history records granted and revoked memberships, and nothing if nothing changed', async () => {
  const [group, role] = [await makeGroup(), await makeRole()]
  await map('told', { groups: [group], roles: [role] })
  const { user } = await signIn('recorded', { groups: ['told'] })
  await signIn('recorded', { groups: ['told'] })
  await signIn('recorded', {})
  const { body } = await corvus.call('GET', `history-events?filter[resource]=users&filter[object]=${user}&sort=at,id`)
  const changes = body.data.map((event: { changes: unknown; user: unknown }) => [event.user, event.changes]).slice(1)
  assert.deepEqual(changes.length, 4, JSON.stringify(changes))
  assert.deepEqual(
    changes.map(([by, change]: [unknown, Record<string, unknown>]) => [by, Object.keys(change)]),
    [
      [null, ['groups']],
      [null, ['roles']],
      [null, ['groups']],
      [null, ['roles']],
    ],
  )
})

test('the last administrator keeps the role, others lose it', async () => {
  const [admin] = (await corvus.call('GET', 'roles?filter[name]=System Admin')).body.data
  await map('admins', { roles: [admin.id] })
  const { user } = await signIn('boss', { groups: ['admins'] })
  const { rows } = await corvus.pool.query(
    'update users set is_active = false where id <> $1 and is_active returning id',
    [user],
  )
  assert.deepEqual((await signIn('boss', {})).roles, [admin.id])
  await corvus.pool.query('update users set is_active = true where id = any($1)', [rows.map((row) => row.id)])
  assert.deepEqual((await signIn('boss', {})).roles, [])
})

test('a change takes effect with the next request to any process, for tokens too', async () => {
  const role = await makeRole(['read tickets'])
  await map('readers', { roles: [role] })
  const { browser } = await signIn('everywhere', { groups: ['readers'] })
  const { body } = await browser.call('POST', 'users/self/tokens', { data: { name: 'script' } })
  const statusIn = async (app: FastifyInstance) => {
    const headers = { authorization: `Bearer ${body.data.token}` }
    return (await app.inject({ method: 'GET', url: '/api/v2/tickets', headers })).statusCode
  }
  const becomes = (app: FastifyInstance, status: number) =>
    until(async () => (await statusIn(app)) === status, `the response did not become ${status}`)
  for (const app of [corvus.app, other]) await becomes(app, 200)
  await signIn('everywhere', {})
  for (const app of [corvus.app, other]) await becomes(app, 403)
})

test('memberships are kept when their provider is deleted', async () => {
  const one = await makeGroup()
  await map('last', { groups: [one] })
  const { user } = await signIn('kept', { groups: ['last'] })
  assert.equal((await corvus.call('DELETE', `identity-providers/${id}`)).status, 204)
  assert.deepEqual((await corvus.call('GET', `users/${user}`)).body.data.groups, [`${BASE}/api/v2/groups/${one}`])
})
