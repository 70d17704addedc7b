import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { signIn } from '../../test/browser.ts'

const PASSWORD = 'Correct horse 1!'

let corvus: Awaited<ReturnType<typeof startApp>>
let adminRole: number
let analystRole: number
let adminId: number
let analystId: number
before(async () => {
  corvus = await startApp()
  const { rows } = await corvus.pool.query('select id, name from roles')
  adminRole = rows.find(({ name }) => name === 'System Admin').id
  analystRole = rows.find(({ name }) => name === 'Threat Analyst').id
  adminId = (await corvus.call('GET', 'users?filter[username]=admin')).body.data[0].id
  const analyst = { username: 'analyst', password: PASSWORD, roles: [analystRole] }
  analystId = (await corvus.call('POST', 'users', { data: analyst })).body.data.id
})
after(() => corvus.stop())

const missing = (...names: string[]) => `Missing permissions: [${names.join(', ')}]`

test('a user is returned with URLs of groups, roles and permissions, and without secrets', async () => {
  const { body } = await corvus.call('GET', `users/${adminId}`)
  const { groups, roles, permissions, is_admin, two_factor_enabled, ...rest } = body.data
  assert.match(groups[0], /^http:\/\/corvus\.test\/api\/v2\/groups\/\d+$/)
  assert.deepEqual(roles, [`http://corvus.test/api/v2/roles/${adminRole}`])
  assert.match(permissions[0], /^http:\/\/corvus\.test\/api\/v2\/permissions\/\d+$/)
  assert.deepEqual([is_admin, two_factor_enabled], [true, false])
  assert.ok(!('password' in rest))
  assert.ok(!JSON.stringify(body).includes('argon2'))
})

test('a weak password is rejected with every rule it breaks and its position in the list', async () => {
  const one = await corvus.call('POST', 'users', { data: { username: 'weak', password: 'weak' } })
  assert.equal(one.status, 400)
  assert.equal(one.body.length, 4)
  const items = [
    { username: 'strong', password: PASSWORD },
    { username: 'weak', password: 'Weak pass 1' },
  ]
  const many = await corvus.call('PUT', 'users', { data: items })
  assert.deepEqual(
    many.body.map(({ detail }: { detail: string }) => detail),
    ['[1].password: must contain a special character'],
  )
})

test('invalid values are rejected with the name of their field', async () => {
  const data = { username: 'odd', email: 'nobody', timezone: 'Mars/Olympus', locale: '!' }
  const { status, body } = await corvus.call('POST', 'users', { data })
  assert.equal(status, 400)
  assert.equal(body.length, 3)
})

test('is_admin and permissions cannot be set', async () => {
  const data = { username: 'climber', is_admin: true, permissions: [1, 2, 3] }
  const { body } = await corvus.call('POST', 'users', { data })
  assert.deepEqual([body.data.is_admin, body.data.permissions], [false, []])
})

test('roles, groups and the lock require their own permissions in addition to modify users', async () => {
  const token = await corvus.tokenFor(['modify users'])
  for (const [field, value, permission] of [
    ['roles', [], 'modify user-roles'],
    ['groups', [], 'modify user-groups'],
    ['is_locked', false, 'lock/unlock users'],
  ] as const) {
    const { status, body } = await corvus.call('POST', 'users', { data: { username: 'x', [field]: value } }, token)
    assert.deepEqual([status, body[0].detail], [403, missing(permission)])
  }
})

test('a caller cannot grant a role whose permissions they do not hold, on any path', async () => {
  const token = await corvus.tokenFor(['modify users', 'modify roles', 'modify user-roles', 'read users', 'read roles'])
  const role = (await corvus.call('POST', 'roles', { data: { name: 'Two' } })).body.data.id
  const held = await corvus.call('GET', 'permissions?filter[name]=read users&filter[name]=read tasks')
  await corvus.call('PATCH', `roles/${role}`, {
    data: { permissions: held.body.data.map(({ id }: { id: number }) => id) },
  })
  const self = (await corvus.call('GET', 'users/self', undefined, token)).body.data.id
  const plain = (await corvus.call('POST', 'users', { data: { username: 'plain' } }, token)).body.data.id
  for (const [method, path, data] of [
    ['POST', 'users', { username: 'new', roles: [role] }],
    ['PUT', 'users', [{ username: 'plain', roles: [role] }]],
    ['PATCH', `users/${plain}`, { roles: [role] }],
    ['PATCH', `users/${self}`, { roles: [role] }],
    ['POST', `users/${plain}/roles`, [role]],
    ['PUT', `users/${plain}/roles`, [`http://corvus.test/api/v2/roles/${role}`]],
    ['PUT', `users/${plain}/roles/${role}`, undefined],
    ['PATCH', `roles/${role}`, { users: [plain] }],
    ['PUT', 'roles', [{ name: 'Two', users: [self] }]],
    ['POST', `roles/${role}/users`, [plain]],
    ['PUT', `roles/${role}/users/${plain}`, undefined],
  ] as const) {
    const { status, body } = await corvus.call(method, path, data && { data }, token)
    assert.deepEqual([status, body[0]?.detail], [403, missing('read tasks')], `${method} ${path}`)
  }
  assert.deepEqual((await corvus.call('GET', `roles/${role}`)).body.data.users, [])
})

test('a caller can grant a role whose permissions they hold', async () => {
  const token = await corvus.tokenFor(['modify user-roles', 'read tasks', 'read users'])
  const permission = (await corvus.call('GET', 'permissions?filter[name]=read tasks')).body.data[0].id
  const role = (await corvus.call('POST', 'roles', { data: { name: 'One', permissions: [permission] } })).body.data.id
  const plain = (await corvus.call('POST', 'users', { data: { username: 'other' } })).body.data.id
  assert.equal((await corvus.call('PUT', `users/${plain}/roles/${role}`, undefined, token)).status, 200)
  assert.equal((await corvus.call('DELETE', `roles/${role}/users/${plain}`, undefined, token)).status, 204)
})

test('a caller cannot change a user who has more permissions, on any path', async () => {
  const token = await corvus.tokenFor([
    'modify users',
    'modify roles',
    'modify groups',
    'modify user-roles',
    'modify user-groups',
    'lock/unlock users',
  ])
  const group = (await corvus.call('GET', `users/${adminId}`)).body.data.groups[0].split('/').at(-1)
  for (const [method, path, data] of [
    ['PATCH', `users/${adminId}`, { firstname: 'X' }],
    ['PATCH', `users/${adminId}`, { password: PASSWORD }],
    ['PATCH', `users/${adminId}`, { is_active: false }],
    ['PUT', 'users', [{ username: 'admin', is_locked: true }]],
    ['DELETE', `users/${adminId}`, undefined],
    ['DELETE', 'users', [adminId]],
    ['DELETE', `users/${adminId}/roles/${adminRole}`, undefined],
    ['DELETE', `roles/${adminRole}/users/${adminId}`, undefined],
    ['PATCH', `roles/${adminRole}`, { users: [] }],
    ['PUT', 'roles', [{ name: 'System Admin', users: [] }]],
    ['DELETE', `users/${adminId}/groups/${group}`, undefined],
    ['DELETE', `groups/${group}/users/${adminId}`, undefined],
    ['PATCH', `groups/${group}`, { users: [] }],
    ['POST', `users/${adminId}/password-reset`, undefined],
    ['DELETE', `users/${adminId}/two-factor`, undefined],
    ['DELETE', `users/${adminId}/sessions`, undefined],
  ] as const) {
    const { status, body } = await corvus.call(method, path, data && { data }, token)
    assert.equal(status, 403, `${method} ${path}`)
    assert.match(body[0].detail, /^Missing permissions: \[.*read entities.*\]$/)
    assert.ok(!body[0].detail.includes('modify users'))
  }
})

test('the last administrator cannot be deleted, deactivated or lose the role, on any path', async () => {
  const { rows } = await corvus.pool.query(
    'delete from role_users where source = $1 and target <> (select user_id from tokens order by id limit 1) returning target',
    [adminRole],
  )
  const last = (await corvus.call('GET', 'users/self')).body.data.id
  for (const [method, path, data] of [
    ['PATCH', `users/${last}`, { is_active: false }],
    ['PATCH', `users/${last}`, { roles: [] }],
    ['DELETE', `users/${last}/roles/${adminRole}`, undefined],
    ['DELETE', `roles/${adminRole}/users/${last}`, undefined],
    ['PATCH', `roles/${adminRole}`, { users: [] }],
    ['PATCH', `roles/${adminRole}`, { users: null }],
    ['PUT', 'roles', [{ name: 'System Admin', users: [] }]],
  ] as const) {
    const { status, body } = await corvus.call(method, path, data && { data })
    assert.equal(status, 409, `${method} ${path}`)
    assert.match(body[0].detail, /^At least one active user must keep/)
  }
  for (const { target } of rows) {
    assert.equal((await corvus.call('PUT', `roles/${adminRole}/users/${target}`)).status, 200)
  }
})

test('of the last two administrators only one can be removed, even by concurrent requests', async () => {
  const tokens = await Promise.all([corvus.tokenFor('all'), corvus.tokenFor('all')])
  const ids = await Promise.all(
    tokens.map(async (token) => (await corvus.call('GET', 'users/self', undefined, token)).body.data.id),
  )
  const { rows } = await corvus.pool.query(
    'delete from role_users where source = $1 and target <> all($2) returning target',
    [adminRole, ids],
  )
  const other = await corvus.pool.connect()
  await other.query('begin')
  await other.query('select from roles where id = $1 for update', [adminRole])
  const sent = [
    corvus.call('PATCH', `users/${ids[1]}`, { data: { is_active: false } }, tokens[0]),
    corvus.call('DELETE', `roles/${adminRole}/users/${ids[0]}`, undefined, tokens[1]),
  ]
  // Both requests have passed every check of the caller and now wait for the same row.
  const waiting = `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await corvus.pool.query(waiting)).rows[0].count < 2) await setTimeout(10)
  await other.query('rollback')
  other.release()
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status < 300).length, 1, `${statuses}`)
  assert.equal(statuses.filter((status) => status === 409).length, 1, `${statuses}`)
  await corvus.pool.query('update users set is_active = true')
  await corvus.pool.query('insert into role_users select $1, unnest($2::integer[])', [
    adminRole,
    rows.map(({ target }) => target),
  ])
})

test('users cannot delete themselves', async () => {
  const { id } = (await corvus.call('GET', 'users/self')).body.data
  for (const [path, body] of [[`users/${id}`], ['users', [analystId, id]]] as const) {
    const answer = await corvus.call('DELETE', path, body)
    assert.deepEqual([answer.status, answer.body[0].detail], [409, 'Users cannot delete themselves.'])
  }
  assert.equal((await corvus.call('GET', `users/${analystId}`)).status, 200)
})

test('changing the password or deactivating an account ends its sessions immediately', async () => {
  const first = await signIn(corvus.app, 'analyst', PASSWORD)
  assert.equal((await first.call('GET', 'users/self')).status, 200)
  await corvus.call('PATCH', `users/${analystId}`, { data: { password: 'Battery staple 2!' } })
  assert.equal((await first.call('GET', 'users/self')).status, 401)
  const second = await signIn(corvus.app, 'analyst', 'Battery staple 2!')
  assert.equal((await second.call('GET', 'users/self')).status, 200)
  await corvus.call('PUT', 'users', { data: [{ username: 'analyst', is_active: false }] })
  assert.equal((await second.call('GET', 'users/self')).status, 401)
  await corvus.call('PUT', 'users', { data: [{ username: 'analyst', is_active: true }] })
  assert.equal((await second.call('GET', 'users/self')).status, 401)
})

test('granting or revoking a role takes effect with the next request', async () => {
  const token = await corvus.tokenFor([])
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  for (let i = 0; i < 5; i++) {
    assert.equal((await corvus.call('GET', 'entities-are-not-here', undefined, token)).status, 404)
    assert.equal((await corvus.call('GET', 'tickets', undefined, token)).status, 403)
    await corvus.call('PUT', `users/${id}/roles/${analystRole}`)
    assert.equal((await corvus.call('GET', 'tickets', undefined, token)).status, 200)
    await corvus.call('DELETE', `roles/${analystRole}/users/${id}`)
  }
})

test('a user who must change their password can do nothing else first', async () => {
  const made = { username: 'newcomer', password: PASSWORD, must_change_password: true }
  const { status, body } = await corvus.call('POST', 'users', { data: made })
  assert.deepEqual([status, body.data.must_change_password], [201, true])
  const browser = await signIn(corvus.app, 'newcomer', PASSWORD)
  assert.equal((await browser.call('GET', 'tickets')).status, 403)
  const chosen = { old_password: PASSWORD, new_password: 'Battery staple 3!' }
  assert.equal((await browser.call('POST', 'users/self/password', { data: chosen })).status, 204)
  const after = await corvus.call('GET', `users/${body.data.id}`)
  assert.equal(after.body.data.must_change_password, false)
})
