import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, make, makeDataset, makeEntity, makeWorkspace, nextName, url } from '../../../test/set-up/datasets.ts'

const PERMISSIONS = ['intel-sets', 'workspaces', 'entities', 'tickets'].flatMap((name) => [
  `read ${name}`,
  `modify ${name}`,
])

const owner = await corvus.tokenFor(PERMISSIONS)
const guest = await corvus.tokenFor(PERMISSIONS)

/** A user whose writes are visible only to their own group. */
async function secretive(): Promise<string> {
  const token = await corvus.tokenFor(PERMISSIONS)
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const group = await make('groups', { name: nextName('Group'), users: [id] })
  const { source } = (await corvus.call('GET', `groups/${group.id}`)).body.data
  sources.set(token, source)
  return token
}
const sources = new Map<string, string>()

test('a dataset has the fields of the specification', async () => {
  const entity = await makeEntity()
  const made = await makeDataset({ name: 'Whole', entities: [url('entities', entity)], entities_count: 7 })
  const { id, created_at, created_by, last_updated_at, last_updated_by, ...rest } = made
  assert.deepEqual(rest, {
    name: 'Whole',
    description: null,
    search_query: null,
    relational_query: null,
    entities_count: 1,
    workspaces: [url('workspaces', 1)],
    is_favorite: false,
    is_dynamic: false,
    is_relational: false,
  })
  assert.ok(Number.isInteger(id) && created_at && created_by && last_updated_at && last_updated_by)
})

test('a dataset needs a workspace, always', async () => {
  const { id, name } = await makeDataset()
  for (const [method, path, body] of [
    ['POST', 'datasets', { name: 'homeless' }],
    ['POST', 'datasets', { name: 'homeless', workspaces: [] }],
    ['POST', 'datasets', { name: 'homeless', workspaces: null }],
    ['PUT', 'datasets', [{ name: 'homeless', workspaces: [] }]],
    ['PUT', 'datasets', [{ name, workspaces: [] }]],
    ['PATCH', `datasets/${id}`, { workspaces: [] }],
    ['PATCH', `datasets/${id}`, { workspaces: null }],
  ] as const) {
    const answer = await corvus.call(method, path, body)
    assert.equal(answer.status, 400, `${method} ${JSON.stringify(body)}`)
    assert.match(answer.body[0].detail, /workspaces: /)
  }
  assert.equal((await corvus.call('PATCH', `datasets/${id}`, { description: 'x' })).body.data.workspaces.length, 1)
})

test('a dataset is visible through a visible workspace, and shows only visible workspaces', async () => {
  const hidden = await makeWorkspace({}, owner)
  const { id } = await makeDataset({ name: 'In the dark', workspaces: [hidden.id] }, owner)
  const total = async (token: string) =>
    (await corvus.call('GET', 'datasets?filter[name]=In the dark&data=false', undefined, token)).body.total_count
  assert.deepEqual([await total(owner), await total(guest)], [1, 0])
  for (const [method, path, body, status] of [
    ['GET', `datasets/${id}`, undefined, 404],
    ['PATCH', `datasets/${id}`, { description: 'x' }, 404],
    ['DELETE', `datasets/${id}`, undefined, 404],
    ['PUT', 'datasets', [{ name: 'In the dark', workspaces: [1] }], 409],
    ['POST', 'datasets', { name: 'Into the dark', workspaces: [hidden.id] }, 400],
    ['PUT', `workspaces/1/datasets/${id}`, undefined, 400],
    ['GET', `workspaces/${hidden.id}/datasets`, undefined, 404],
  ] as const) {
    assert.equal((await corvus.call(method, path, body, guest)).status, status, `${method} ${path}`)
  }
  const entity = await makeEntity({ datasets: [id] }, owner)
  assert.equal((await corvus.call('GET', `entities/${entity}`, undefined, owner)).body.data.datasets.length, 1)
  assert.deepEqual((await corvus.call('GET', `entities/${entity}`, undefined, guest)).body.data.datasets, [])
  await corvus.call('PATCH', `datasets/${id}`, { workspaces: [hidden.id, 1] }, owner)
  const seen = await corvus.call('GET', `datasets/${id}`, undefined, guest)
  assert.deepEqual([seen.status, seen.body.data.workspaces], [200, [url('workspaces', 1)]])
  await corvus.call('PATCH', `datasets/${id}`, { workspaces: [1] }, guest)
  const kept = await corvus.call('GET', `datasets/${id}`, undefined, owner)
  assert.equal(kept.body.data.workspaces.length, 2, 'what one does not see stays')
})

test('only visible entities are counted and replaced', async () => {
  const loner = await secretive()
  const open = await makeEntity()
  const closed = await makeEntity({ sources: [sources.get(loner)] }, loner)
  const { id, name } = await makeDataset({ entities: [open] })
  assert.equal((await corvus.call('PUT', `entities/${closed}/datasets/${id}`, undefined, loner)).status, 200)
  const count = async (token: string) =>
    (await corvus.call('GET', `datasets/${id}`, undefined, token)).body.data.entities_count
  assert.deepEqual([await count(corvus.admin), await count(loner)], [1, 2])
  assert.equal((await corvus.call('PATCH', `datasets/${id}`, { entities: [closed] })).status, 400)
  const emptied = await corvus.call('PUT', 'datasets', [{ name, workspaces: [1], entities: [] }])
  assert.deepEqual([emptied.status, emptied.body.data[0].entities_count], [200, 0])
  assert.deepEqual([await count(corvus.admin), await count(loner)], [0, 1])
  assert.equal((await corvus.call('PATCH', `datasets/${id}`, { entities: [] }, loner)).body.data.entities_count, 0)
})

test('datasets and entities of a workspace, and entities of a ticket, have paths', async () => {
  const entity = await makeEntity()
  const workspace = await makeWorkspace()
  const ticket = await make('tickets', { name: 'Look into it', entities: [entity] })
  const { id } = await makeDataset()
  assert.deepEqual(ticket.entities, [url('entities', entity)])
  for (const [path, target, there] of [
    [`workspaces/${workspace.id}/datasets`, id, 'datasets'],
    [`workspaces/${workspace.id}/entities`, entity, 'entities'],
    [`tickets/${ticket.id}/entities`, entity, 'entities'],
  ] as const) {
    const added = await corvus.call('PUT', `${path}/${target}`)
    assert.deepEqual([added.status, added.body.data], [200, [url(there, target)]], path)
    assert.deepEqual((await corvus.call('GET', path)).body.data, [url(there, target)])
    assert.equal((await corvus.call('DELETE', `${path}/${target}`)).status, 204)
    assert.deepEqual((await corvus.call('GET', path)).body.data, [])
    assert.equal((await corvus.call('GET', `${path}/${target}`)).status, 404)
    assert.equal((await corvus.call('POST', path, { data: [url(there, target)] })).status, 200)
  }
  const shown = await corvus.call('GET', `workspaces/${workspace.id}`)
  assert.deepEqual(
    [shown.body.data.datasets, shown.body.data.entities],
    [[url('datasets', id)], [url('entities', entity)]],
  )
  assert.equal((await corvus.call('DELETE', `entities/${entity}`)).status, 204)
  assert.deepEqual((await corvus.call('GET', `tickets/${ticket.id}`)).body.data.entities, [])
})
