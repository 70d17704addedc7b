import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { BASE } from '../../../test/app.ts'
import { corvus, PATH } from '../../../test/set-up/attachments.ts'

const PERMISSIONS = ['read entities', 'modify entities']

async function makeEntity(): Promise<string> {
  const { status, body } = await corvus.call('POST', 'entities', { data: { data: { type: 'report', title: 'R' } } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

/** A user without groups, who sees no entities. */
async function stranger(): Promise<string> {
  const token = await corvus.tokenFor(PERMISSIONS)
  const { body } = await corvus.call('GET', 'users/self', undefined, token)
  for (const url of body.data.groups) {
    const group = String(url).split('?')[0]?.split('/').at(-1)
    assert.equal((await corvus.call('DELETE', `groups/${group}/users/${body.data.id}`)).status, 204)
  }
  return token
}

test('attachments and entities refer to each other', async () => {
  const entity = await makeEntity()
  const { body } = await corvus.call('POST', PATH, { data: 'YQ', entities: [entity] })
  const { id } = body.data
  const url = `${BASE}/api/v2/${PATH}/${id}`
  assert.deepEqual(body.data.entities, [`${BASE}/api/v2/entities/${entity}`])
  assert.deepEqual((await corvus.call('GET', `entities/${entity}`)).body.data.attachments, [url])
  assert.deepEqual((await corvus.call('GET', `entities/${entity}/attachments`)).body.data, [url])
  assert.equal((await corvus.call('GET', `entities/${entity}/attachments/${id}`)).status, 200)
  assert.equal((await corvus.call('GET', `${PATH}?filter[entities]=${entity}`)).body.total_count, 1)
  assert.equal((await corvus.call('DELETE', `entities/${entity}/attachments/${id}`)).status, 204)
  assert.deepEqual((await corvus.call('GET', `${PATH}/${id}`)).body.data.entities, [])
  assert.equal((await corvus.call('PUT', `entities/${entity}/attachments`, { data: [url] })).status, 200)
  assert.equal((await corvus.call('GET', `${PATH}/${id}`)).body.data.entities.length, 1)
  const bad = await corvus.call('PATCH', `${PATH}/${id}`, { entities: [randomUUID()] })
  assert.equal(bad.status, 400)
  assert.match(bad.body[0].detail, /^entities: there is no /)
})

test('an entity that gets or loses an attachment has changed', async () => {
  const [entity, other] = [await makeEntity(), await makeEntity()]
  const changes = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from changes
      where resource = 'entities' and kind = 'update' and ids && ${[entity]}::text[]`.execute(corvus.db)
    const { body } = await corvus.call('GET', `entities/${entity}`)
    return { count: rows[0]?.count ?? 0, time: body.data.last_updated_at }
  }
  const start = await changes()
  const { body } = await corvus.call('POST', PATH, { data: 'YQ', entities: [entity] })
  const { id } = body.data
  const made = await changes()
  assert.equal(made.count, start.count + 1)
  assert.ok(made.time > start.time)
  await corvus.call('PATCH', `${PATH}/${id}`, { filename: 'x', entities: [entity, other] })
  assert.deepEqual(await changes(), made)
  await corvus.call('PUT', PATH, [{ id, entities: [other] }])
  assert.equal((await changes()).count, start.count + 2)
  await corvus.call('PUT', PATH, [{ id, entities: [entity] }])
  await corvus.call('DELETE', `${PATH}/${id}`)
  assert.equal((await changes()).count, start.count + 4)
})

test('an attachment is visible to its creator and to users who see one of its entities', async () => {
  const outsider = await stranger()
  const colleague = await corvus.tokenFor(PERMISSIONS)
  const entity = await makeEntity()
  const { id } = (await corvus.call('POST', PATH, { data: 'YQ', filename: 'secret' })).body.data
  const meet = async (token: string) => {
    const listed = await corvus.call('GET', `${PATH}?filter[filename]=secret`, undefined, token)
    const counted = await corvus.call('GET', `${PATH}?filter[filename]=secret&data=false`, undefined, token)
    const got = await corvus.call('GET', `${PATH}/${id}`, undefined, token)
    const loaded = await corvus.call('GET', `${PATH}/${id}/download`, undefined, token)
    return [listed.body.total_count, counted.body.total_count, got.status, loaded.status]
  }
  assert.deepEqual(await meet(corvus.admin), [1, 1, 200, 200])
  assert.deepEqual(await meet(colleague), [0, 0, 404, 404])
  await corvus.call('PATCH', `${PATH}/${id}`, { entities: [entity] })
  assert.deepEqual(await meet(colleague), [1, 1, 200, 200])
  assert.deepEqual(await meet(outsider), [0, 0, 404, 404])
  for (const [method, path, body, status] of [
    ['PATCH', `${PATH}/${id}`, { filename: 'x' }, 404],
    ['DELETE', `${PATH}/${id}`, undefined, 404],
    ['DELETE', PATH, [id], 404],
    ['PUT', PATH, [{ id, filename: 'x' }], 409],
    ['POST', PATH, { data: 'YQ', entities: [entity] }, 400],
    ['POST', 'entities', { data: { data: { type: 'report', title: 'R' }, attachments: [id] } }, 400],
  ] as const) {
    const answer = await corvus.call(method, path, body, outsider)
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(answer.body)}`)
  }
  assert.deepEqual(await meet(corvus.admin), [1, 1, 200, 200])
})

test('a change that would hide an attachment from its author is refused', async () => {
  const colleague = await corvus.tokenFor(PERMISSIONS)
  const entity = await makeEntity()
  const { id } = (await corvus.call('POST', PATH, { data: 'YQ', entities: [entity] })).body.data
  assert.equal((await corvus.call('PATCH', `${PATH}/${id}`, { entities: [] }, colleague)).status, 409)
  assert.equal((await corvus.call('PATCH', `${PATH}/${id}`, { entities: null }, colleague)).status, 409)
  assert.equal((await corvus.call('PUT', PATH, [{ id, entities: [] }], colleague)).status, 409)
  assert.equal((await corvus.call('PATCH', `${PATH}/${id}`, { entities: [] })).status, 200)
})

test('an attachment stays when its entity is deleted', async () => {
  const entity = await makeEntity()
  const { id } = (await corvus.call('POST', PATH, { data: 'YQ', entities: [entity] })).body.data
  assert.equal((await corvus.call('DELETE', `entities/${entity}`)).status, 204)
  assert.deepEqual((await corvus.call('GET', `${PATH}/${id}`)).body.data.entities, [])
})
