import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'

const PERMISSIONS = ['read groups', 'modify groups', 'modify user-groups', 'read users', 'modify users']

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const makeGroup = async (name: string, more = {}) =>
  (await corvus.call('POST', 'groups', { data: { name, ...more } })).body.data

const idOf = (url: string) => url.split('?')[0]?.split('/').at(-1)

test('a new group gets a source with the same name and full visibility of it', async () => {
  const { source, sources } = await makeGroup('North')
  assert.match(source, /^http:\/\/corvus\.test\/api\/v2\/sources\/[0-9a-f-]{36}$/)
  assert.deepEqual(sources, [`${source}?allowed_tlp=RED`])
  const { status, body } = await corvus.call('GET', new URL(source).pathname)
  assert.equal(status, 200)
  assert.deepEqual([body.data.name, body.data.type, body.data.source_type], ['North', 'group', 'group'])
})

test('groups created in one request each get their own source', async () => {
  const put = await corvus.call('PUT', 'groups', { data: [{ name: 'East' }, { name: 'North' }, { name: 'West' }] })
  assert.equal(put.status, 201)
  assert.equal(new Set(put.body.data.map((group: { source: string }) => group.source)).size, 3)
  for (const { source, sources } of put.body.data) assert.deepEqual(sources, [`${source}?allowed_tlp=RED`])
})

test('renaming a group renames its source, deleting it deletes the source', async () => {
  const { id, source } = await makeGroup('Old name')
  const path = new URL(source).pathname
  assert.equal((await corvus.call('PATCH', `groups/${id}`, { data: { name: 'New name' } })).status, 200)
  assert.equal((await corvus.call('GET', path)).body.data.name, 'New name')
  assert.equal((await corvus.call('DELETE', `groups/${id}`)).status, 204)
  assert.equal((await corvus.call('GET', path)).status, 404)
})

test('a group cannot be deleted while its source is in use', async () => {
  const { id, source } = await makeGroup('In use')
  await corvus.pool.query('create table things (source uuid references sources)')
  await corvus.pool.query('insert into things values ($1)', [idOf(source)])
  assert.equal((await corvus.call('DELETE', `groups/${id}`)).status, 409)
  assert.equal((await corvus.call('GET', `groups/${id}`)).status, 200)
  await corvus.pool.query('drop table things')
  assert.equal((await corvus.call('DELETE', `groups/${id}`)).status, 204)
})

test('sources are read-only, and a group cannot swap its own source', async () => {
  const [one, other] = [await makeGroup('One'), await makeGroup('Other')]
  const { body } = await corvus.call('PATCH', `groups/${one.id}`, { data: { source: other.source } })
  assert.equal(body.data.source, one.source)
  assert.equal((await corvus.call('POST', 'sources', { data: { name: 'x' } })).status, 405)
})

test('links carry the TLP colour and the role in their query string, on input and output', async () => {
  const { source } = await makeGroup('Sharing')
  const { id, users } = (await corvus.call('GET', 'users?filter[username]=admin')).body.data[0]
  assert.equal(users, undefined)
  const group = await makeGroup('Shared', {
    sources: [`${source}?allowed_tlp=AMBER`],
    users: [`/api/v2/users/${id}?role=admin`],
  })
  assert.ok(group.sources.includes(`${source}?allowed_tlp=AMBER`))
  assert.deepEqual(group.users, [`http://corvus.test/api/v2/users/${id}?role=admin`])
  const put = await corvus.call('PUT', `groups/${group.id}/sources/${idOf(source)}?allowed_tlp=GREEN`)
  assert.ok(put.body.data.includes(`${source}?allowed_tlp=GREEN`))
  assert.equal((await corvus.call('PUT', `groups/${group.id}/sources/${idOf(source)}?allowed_tlp=PINK`)).status, 400)
})

test('a caller cannot add users to a group that sees more than the caller, on any path', async () => {
  const token = await corvus.tokenFor(PERMISSIONS)
  const self = (await corvus.call('GET', 'users/self', undefined, token)).body.data.id
  const plain = (await corvus.call('POST', 'users', { data: { username: 'plain' } })).body.data.id
  const { id } = await makeGroup('Secret')
  for (const [method, path, data] of [
    ['POST', `groups/${id}/users`, [self]],
    ['PUT', `groups/${id}/users/${plain}`, undefined],
    ['PATCH', `groups/${id}`, { users: [plain] }],
    ['PATCH', `groups/${id}`, { name: 'Renamed', users: [self] }],
    ['PUT', 'groups', [{ name: 'Secret', users: [self] }]],
    ['PUT', `users/${self}/groups/${id}`, undefined],
    ['PATCH', `users/${plain}`, { groups: [id] }],
    ['POST', 'users', { username: 'new', groups: [id] }],
  ] as const) {
    const { status, body } = await corvus.call(method, path, data && { data }, token)
    assert.equal(status, 403, `${method} ${path}`)
    assert.match(body[0].detail, /^You cannot give others access to sources/)
  }
})

test('a caller cannot add a source to a group unless they see it at that TLP colour themselves', async () => {
  const token = await corvus.tokenFor(PERMISSIONS)
  const self = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const { source } = await makeGroup('Origin')
  const own = self.groups[0]
  await corvus.call('PUT', `groups/${idOf(own)}/sources/${idOf(source)}?allowed_tlp=GREEN`)
  const { id } = (await corvus.call('POST', 'groups', { data: { name: 'Mine', users: [self.id] } }, token)).body.data
  for (const [method, path, data] of [
    ['PUT', `groups/${id}/sources/${idOf(source)}?allowed_tlp=AMBER`, undefined],
    ['PUT', `groups/${id}/sources/${idOf(source)}`, undefined],
    ['PATCH', `groups/${id}`, { sources: [`${source}?allowed_tlp=RED`] }],
    ['POST', 'groups', { name: 'Other mine', sources: [source] }],
  ] as const) {
    assert.equal((await corvus.call(method, path, data && { data }, token)).status, 403, `${method} ${path}`)
  }
  const put = await corvus.call('PUT', `groups/${id}/sources/${idOf(source)}?allowed_tlp=WHITE`, undefined, token)
  assert.equal(put.status, 200)
})

test('the creator of a group can join it and then add other users', async () => {
  const token = await corvus.tokenFor(PERMISSIONS)
  const self = (await corvus.call('GET', 'users/self', undefined, token)).body.data.id
  const friend = (await corvus.call('POST', 'users', { data: { username: 'friend' } })).body.data.id
  const made = await corvus.call('POST', 'groups', { data: { name: 'Ours', users: [self] } }, token)
  assert.equal(made.status, 201)
  const { id } = made.body.data
  assert.equal((await corvus.call('PUT', `groups/${id}/users/${friend}?role=admin`, undefined, token)).status, 200)
})

test('an administrator can add any source and any user', async () => {
  const { source } = await makeGroup('Far away')
  const { id } = await makeGroup('Near')
  assert.equal((await corvus.call('PUT', `groups/${id}/sources/${idOf(source)}`)).status, 200)
  const user = (await corvus.call('POST', 'users', { data: { username: 'anyone' } })).body.data.id
  assert.equal((await corvus.call('PUT', `groups/${id}/users/${user}`)).status, 200)
})

test('credentials and memberships of an account with wider visibility are protected on every path', async () => {
  const token = await corvus.tokenFor([...PERMISSIONS, 'modify users', 'read users', 'modify configurations'])
  const { id: group, source } = await makeGroup('Wide')
  const seer = { username: 'seer', email: 'seer@example.org', password: 'Correct horse 1!', groups: [group] }
  const { id } = (await corvus.call('POST', 'users', { data: seer })).body.data
  const identity = { user: id, issuer: 'https://login.example.org', subject: 'seer' }
  const linked = (await corvus.call('POST', 'user-identities', { data: identity })).body.data.id
  const entry = /^You cannot change the credentials of an account that sees more than you do/
  const sight = /^You cannot remove access to sources that you cannot see/
  const mail = /^Mail contains links that give access to accounts/
  const server = { from_email: 'a@example.org', reply_to: 'a@example.org', host: 'mail.example.org' }
  assert.equal((await corvus.call('PUT', 'configurations/email', { data: server })).status, 200)
  for (const [refusal, method, path, data] of [
    [mail, 'PATCH', 'configurations/email', { host: 'mail.evil.example' }],
    [mail, 'PATCH', 'configurations/email', { security: 'none' }],
    [mail, 'PUT', 'configurations/email', { ...server, username: 'mine' }],
    [entry, 'PATCH', `users/${id}`, { password: null }],
    [entry, 'PATCH', `users/${id}`, { password: 'Battery staple 2!' }],
    [entry, 'PATCH', `users/${id}`, { password: 'Battery staple 2!', groups: [] }],
    [entry, 'PATCH', `users/${id}`, { email: 'mine@example.org' }],
    [entry, 'PATCH', `users/${id}`, { email: null }],
    [entry, 'PATCH', `users/${id}`, { username: 'prophet' }],
    [entry, 'PUT', 'users', [{ username: 'seer', password: 'Battery staple 2!' }]],
    [entry, 'PUT', 'users', [{ username: 'new' }, { username: 'seer', email: 'mine@example.org' }]],
    [entry, 'POST', `users/${id}/password-reset`, undefined],
    [entry, 'POST', `users/${id}/invite`, undefined],
    [entry, 'DELETE', `users/${id}/two-factor`, undefined],
    [entry, 'POST', 'user-identities', { ...identity, subject: 'mine' }],
    [entry, 'DELETE', `user-identities/${linked}`, undefined],
    [entry, 'DELETE', 'user-identities', [linked]],
    [sight, 'PATCH', `users/${id}`, { groups: [] }],
    [sight, 'PUT', 'users', [{ username: 'seer', groups: [] }]],
    [sight, 'DELETE', `users/${id}/groups/${group}`, undefined],
    [sight, 'DELETE', `groups/${group}/users/${id}`, undefined],
    [sight, 'PATCH', `groups/${group}`, { users: [] }],
    [sight, 'PATCH', `groups/${group}`, { sources: [] }],
    [sight, 'PUT', 'groups', [{ name: 'Wide', sources: [] }]],
    [sight, 'DELETE', `groups/${group}/sources/${idOf(source)}`, undefined],
  ] as const) {
    const { status, body } = await corvus.call(method, path, data && { data }, token)
    const about = `${method} ${path} ${JSON.stringify(data)}`
    assert.equal(status, 403, about)
    assert.match(body[0].detail, refusal, about)
  }
  const replies = { ...server, reply_to: 'b@example.org' }
  assert.equal((await corvus.call('PUT', 'configurations/email', { data: replies }, token)).status, 200)
  const file = { format: 'corvus-configuration', version: 1, settings: { email: { host: 'mail.evil.example' } } }
  assert.equal((await corvus.call('POST', 'configurations/install', file, token)).status, 403)
  const harmless = { firstname: 'Sibyl', username: 'seer', email: 'seer@example.org' }
  assert.equal((await corvus.call('PATCH', `users/${id}`, { data: harmless }, token)).status, 200)
  const known = [{ username: 'seer', lastname: 'Trelawney' }]
  assert.equal((await corvus.call('PUT', 'users', { data: known }, token)).status, 200)
  assert.equal((await corvus.call('PATCH', `users/${id}`, { data: { email: 'new@example.org' } })).status, 200)
  assert.equal((await corvus.call('POST', `users/${id}/password-reset`)).status, 201)
})

test('deleting a user or group removes its memberships, even if it has wider visibility than the caller', async () => {
  const token = await corvus.tokenFor([...PERMISSIONS, 'modify users'])
  const { id: group } = await makeGroup('Gone soon')
  const { id } = (await corvus.call('POST', 'users', { data: { username: 'leaver', groups: [group] } })).body.data
  assert.equal((await corvus.call('DELETE', `users/${id}`, undefined, token)).status, 204)
  assert.equal((await corvus.call('DELETE', `groups/${group}`, undefined, token)).status, 204)
})
