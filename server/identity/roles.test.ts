import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let adminRole: number
let analystRole: number
const permission: Record<string, number> = {}
before(async () => {
  corvus = await startApp()
  const { body } = await corvus.call('GET', 'permissions')
  for (const { id, name } of body.data) permission[name] = id
  const roles = (await corvus.call('GET', 'roles')).body.data as { id: number; name: string }[]
  adminRole = roles.find(({ name }) => name === 'System Admin')?.id ?? 0
  analystRole = roles.find(({ name }) => name === 'Threat Analyst')?.id ?? 0
})
after(() => corvus.stop())

test('all permissions fit on one page and are read-only', async () => {
  const { body } = await corvus.call('GET', 'permissions')
  assert.equal(body.total_count, body.count)
  assert.ok(body.count < 100)
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    assert.equal((await corvus.call(method, 'permissions', { data: [] })).status, 405)
  }
})

test('built-in roles can neither be deleted nor renamed', async () => {
  for (const [method, path, body] of [
    ['DELETE', `roles/${analystRole}`, undefined],
    ['DELETE', 'roles', [analystRole]],
    ['PATCH', `roles/${analystRole}`, { data: { name: 'Analyst' } }],
    ['PATCH', `roles/${adminRole}`, { data: { name: 'root' } }],
    ['DELETE', `roles/${adminRole}`, undefined],
  ] as const) {
    const answer = await corvus.call(method, path, body)
    assert.equal(answer.status, 409, `${method} ${path}`)
    assert.equal(answer.body[0].detail, 'Built-in roles cannot be deleted or renamed.')
  }
})

test('the permissions of built-in roles can be changed, except those of System Admin', async () => {
  const some = [permission['read entities']]
  assert.equal((await corvus.call('PATCH', `roles/${analystRole}`, { data: { permissions: some } })).status, 200)
  for (const [method, path, body] of [
    ['PATCH', `roles/${adminRole}`, { data: { permissions: some } }],
    ['PUT', 'roles', { data: [{ name: 'System Admin', permissions: some }] }],
    ['DELETE', `roles/${adminRole}/permissions/${permission['read users']}`, undefined],
  ] as const) {
    const answer = await corvus.call(method, path, body)
    assert.equal(answer.status, 409, `${method} ${path}`)
    assert.match(answer.body[0].detail, /always holds every permission/)
  }
  assert.equal((await corvus.call('PATCH', `roles/${adminRole}`, { data: { description: 'All' } })).status, 200)
})

test('a caller cannot add a permission to a role unless they hold it, on any path', async () => {
  const token = await corvus.tokenFor(['modify roles', 'read roles'])
  const role = (await corvus.call('POST', 'roles', { data: { name: 'Empty' } }, token)).body.data.id
  const wanted = permission['modify users']
  for (const [method, path, data] of [
    ['POST', 'roles', { name: 'Full', permissions: [wanted] }],
    ['PUT', 'roles', [{ name: 'Empty', permissions: [permission['read roles'], wanted] }]],
    ['PATCH', `roles/${role}`, { permissions: [wanted] }],
    ['POST', `roles/${role}/permissions`, [wanted]],
    ['PUT', `roles/${role}/permissions`, [wanted]],
    ['PUT', `roles/${role}/permissions/${wanted}`, undefined],
  ] as const) {
    const { status, body } = await corvus.call(method, path, data && { data }, token)
    assert.deepEqual([status, body[0]?.detail], [403, 'Missing permissions: [modify users]'], `${method} ${path}`)
  }
  const added = await corvus.call('PUT', `roles/${role}/permissions/${permission['read roles']}`, undefined, token)
  assert.equal(added.status, 200)
})

test('a role keeps the permissions it already has, even if the writer does not hold them', async () => {
  const permissions = [permission['read users'], permission['modify users']]
  const { id } = (await corvus.call('POST', 'roles', { data: { name: 'Keeper', permissions } })).body.data
  const token = await corvus.tokenFor(['modify roles'])
  const patch = { description: 'Kept', permissions }
  assert.equal((await corvus.call('PATCH', `roles/${id}`, { data: patch }, token)).status, 200)
})

test('the relation paths of users and roles require only modify user-roles', async () => {
  const { id } = (await corvus.call('POST', 'roles', { data: { name: 'Free' } })).body.data
  const user = (await corvus.call('POST', 'users', { data: { username: 'joiner' } })).body.data.id
  const wrong = await corvus.tokenFor(['modify roles', 'modify users'])
  const right = await corvus.tokenFor(['modify user-roles'])
  for (const path of [`roles/${id}/users/${user}`, `users/${user}/roles/${id}`]) {
    const refused = await corvus.call('PUT', path, undefined, wrong)
    assert.equal(refused.body[0].detail, 'Missing permissions: [modify user-roles]')
    assert.equal((await corvus.call('PUT', path, undefined, right)).status, 200)
    assert.equal((await corvus.call('DELETE', path, undefined, right)).status, 204)
  }
})
