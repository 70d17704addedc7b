import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BASE, startApp } from '../../test/app.ts'

const PERMISSIONS = ['intel-sets', 'workspaces', 'entities', 'tickets'].flatMap((name) => [
  `read ${name}`,
  `modify ${name}`,
])

let corvus: Awaited<ReturnType<typeof startApp>>
let owner: string
let guest: string
before(async () => {
  corvus = await startApp()
  owner = await corvus.tokenFor(PERMISSIONS)
  guest = await corvus.tokenFor(PERMISSIONS)
})
after(() => corvus.stop())

let counter = 0

async function make(path: string, item: Record<string, unknown>, token = corvus.admin) {
  const { status, body } = await corvus.call('POST', path, { data: item }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const makeDataset = (item: Record<string, unknown> = {}, token?: string) =>
  make('datasets', { name: `Dataset ${++counter}`, workspaces: [1], ...item }, token)
const makeWorkspace = (item: Record<string, unknown> = {}, token?: string) =>
  make('workspaces', { name: `Workspace ${++counter}`, ...item }, token)
const makeEntity = async (rest: Record<string, unknown> = {}, token?: string): Promise<string> =>
  (await make('entities', { data: { type: 'report', title: 'R' }, ...rest }, token)).id

const url = (path: string, id: unknown) => `${BASE}/api/v2/${path}/${id}`

/** A user whose own group alone sees what they write; the groups of all others do not. */
async function secretive(): Promise<string> {
  const token = await corvus.tokenFor(PERMISSIONS)
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const group = await make('groups', { name: `Group ${++counter}`, users: [id] })
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

test('a dataset is seen by who sees one of its workspaces, and shows only those', async () => {
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

test('entities are counted, and replaced, as far as the caller sees them', async () => {
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

test('a dataset with a query is dynamic, and takes no entities', async () => {
  const entity = await makeEntity()
  const dynamic = await makeDataset({ search_query: 'data.type:no-such-type' })
  assert.deepEqual([dynamic.is_dynamic, dynamic.is_relational, dynamic.entities_count], [true, false, 0])
  const relational = await makeDataset({ relational_query: { start: { query: 'no-such-word' }, hops: [{}] } })
  assert.deepEqual([relational.is_dynamic, relational.is_relational], [true, true])
  const empty = await makeDataset({ search_query: '  ', entities: [entity] })
  assert.deepEqual([empty.is_dynamic, empty.search_query, empty.entities_count], [false, null, 1])
  const refused = 'entities: cannot be set, because the query of the dataset finds them'
  for (const [method, path, body, detail] of [
    ['POST', 'datasets', { name: 'both', workspaces: [1], search_query: 'x', entities: [entity] }, refused],
    ['PATCH', `datasets/${dynamic.id}`, { entities: [entity] }, refused],
    ['PATCH', `datasets/${empty.id}`, { search_query: 'x', entities: [entity] }, refused],
    [
      'PUT',
      'datasets',
      [
        { name: 'fine', workspaces: [1] },
        { name: dynamic.name, workspaces: [1], entities: [entity] },
      ],
      `[1].${refused}`,
    ],
  ] as const) {
    const answer = await corvus.call(method, path, body)
    assert.deepEqual([answer.status, answer.body[0]?.detail], [400, detail], `${method} ${path}`)
  }
  assert.equal((await corvus.call('GET', 'datasets?filter[name]=fine&data=false')).body.total_count, 0)
  const still = await corvus.call('PATCH', `datasets/${dynamic.id}`, { search_query: null, entities: [entity] })
  assert.deepEqual([still.status, still.body.data.entities_count], [200, 1])
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

test('no path takes the last workspace of a dataset away', async () => {
  const workspace = await makeWorkspace()
  const { id, name } = await makeDataset({ workspaces: [workspace.id] })
  for (const [method, path, body] of [
    ['DELETE', `workspaces/${workspace.id}/datasets/${id}`],
    ['PATCH', `workspaces/${workspace.id}`, { datasets: [] }],
    ['PATCH', `workspaces/${workspace.id}`, { datasets: null }],
    ['PUT', 'workspaces', [{ name: workspace.name, datasets: [] }]],
    ['DELETE', `workspaces/${workspace.id}`],
    ['DELETE', 'workspaces', [workspace.id]],
  ] as const) {
    const answer = await corvus.call(method, path, body)
    assert.equal(answer.status, 409, `${method} ${path}`)
    assert.equal(answer.body[0].detail, `A dataset needs a workspace; '${name}' would have none.`)
  }
  assert.equal((await corvus.call('GET', `datasets/${id}`)).body.data.workspaces.length, 1)
  assert.equal((await corvus.call('PUT', `workspaces/1/datasets/${id}`)).status, 200)
  assert.equal((await corvus.call('DELETE', `workspaces/${workspace.id}/datasets/${id}`)).status, 204)
  assert.equal((await corvus.call('DELETE', `workspaces/${workspace.id}`)).status, 204)
  assert.deepEqual((await corvus.call('GET', `datasets/${id}`)).body.data.workspaces, [url('workspaces', 1)])
})

test('of two who take the last two workspaces away at once, one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const [first, second] = [await makeWorkspace(), await makeWorkspace()]
    const { id } = await makeDataset({ workspaces: [first.id, second.id] })
    const answers = await Promise.all([
      corvus.call('DELETE', `workspaces/${first.id}/datasets/${id}`),
      corvus.call('DELETE', `workspaces/${second.id}`),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409])
  }
})

test('the query of a dynamic dataset finds its entities, wherever they are asked for', async () => {
  const word = `kestrel${Date.now()}`
  const titled = (title: string) => ({ data: { type: 'report', title } })
  const made = await corvus.call('PUT', 'entities', [titled(`${word} one`), titled(`${word} two`), titled('other')])
  const ids = made.body.data.map(({ id }: { id: string }) => id)
  const dynamic = await makeDataset({ search_query: `data.title:${word}` })
  const fixed = await makeDataset({ entities: [ids[2]] })
  assert.equal(dynamic.entities_count, 2)
  const listed = async (query: string) => {
    const { body } = await corvus.call('GET', `entities?${query}`)
    return [body.total_count, body.data.map(({ id }: { id: string }) => id)]
  }
  assert.deepEqual(await listed(`filter[datasets]=${dynamic.id}`), [2, ids.slice(0, 2)])
  assert.deepEqual(await listed(`filter[datasets]=${dynamic.id}&filter[datasets]=${fixed.id}`), [3, ids])
  assert.deepEqual(await listed(`filter[!datasets]=${dynamic.id}&filter[datasets]=${fixed.id}`), [1, [ids[2]]])
  await corvus.call('PUT', 'entities', [titled(`${word} three`)])
  const { body } = await corvus.call('GET', `datasets?filter[name]=${dynamic.name}&attributes=entities_count`)
  assert.deepEqual(body.data, [{ entities_count: 3 }])
})

test('a query that cannot be understood is refused with its place', async () => {
  for (const [method, path] of [
    ['POST', 'datasets'],
    ['PUT', 'datasets'],
  ] as const) {
    const dataset = { name: 'broken', workspaces: [1], search_query: 'data.title:(a OR' }
    const { status, body } = await corvus.call(method, path, method === 'PUT' ? [dataset] : dataset)
    assert.equal(status, 400)
    assert.match(body[0].detail, /search_query: .*column 17/)
  }
})

test('a relational query leads to the entities of a dataset', async () => {
  const word = `merlin${Date.now()}`
  const made = await corvus.call('PUT', 'entities', [
    { data: { type: 'threat-actor', title: `${word} actor` } },
    { data: { type: 'malware', title: 'its malware' } },
    { data: { type: 'tool', title: 'its tool' } },
    { data: { type: 'indicator', title: 'of the malware' } },
  ])
  const [actor, malware, tool, indicator] = made.body.data
  const related = (source: { id: string }, key: string, target: { id: string }) => ({
    data: { source: source.id, target: target.id, key },
    sources: actor.sources,
  })
  const links = [
    related(actor, 'uses', malware),
    related(actor, 'uses', tool),
    related(indicator, 'indicates', malware),
  ]
  assert.equal((await corvus.call('PUT', 'relationships', links)).status, 201)
  const start = { query: `data.title:${word}` }
  const found = async (relational_query: object) => {
    const dataset = await makeDataset({ relational_query })
    const { body } = await corvus.call('GET', `entities?filter[datasets]=${dataset.id}`)
    assert.equal(dataset.entities_count, body.total_count)
    return [dataset.id, body.data.map(({ id }: { id: string }) => id)]
  }
  assert.deepEqual((await found({ start, hops: [{ direction: 'out', keys: ['uses'] }] }))[1], [malware.id, tool.id])
  const twoHops = {
    start,
    hops: [
      { direction: 'out', query: 'type:malware' },
      { direction: 'in', entity_types: ['indicator'] },
    ],
  }
  const [first, ids] = await found(twoHops)
  assert.deepEqual(ids, [indicator.id])
  assert.deepEqual((await found({ start: { datasets: [first] }, hops: [{ direction: 'out' }] }))[1], [malware.id])
})

test('datasets that are found through each other have nothing of each other', async () => {
  const first = await makeDataset({ relational_query: { start: { query: '*' }, hops: [{}] } })
  const second = await makeDataset({ relational_query: { start: { datasets: [first.id] }, hops: [{}] } })
  const changed = await corvus.call('PATCH', `datasets/${first.id}`, {
    relational_query: { start: { datasets: [second.id] }, hops: [{}] },
  })
  assert.deepEqual([changed.status, changed.body.data?.entities_count], [200, 0])
})

test('what is wrong in a relational query is named with its place', async () => {
  const refused = async (relational_query: unknown, expected: RegExp) => {
    const { status, body } = await corvus.call('POST', 'datasets', { name: 'x', workspaces: [1], relational_query })
    assert.equal(status, 400)
    assert.match(body[0].detail, expected)
  }
  await refused({ start: {}, hops: [{}] }, /^relational_query\.start: needs/)
  await refused({ start: { query: 'a OR' }, hops: [{}] }, /^relational_query\.start\.query: .*column/)
  await refused({ start: { query: 'a' }, hops: [{}, { query: '[' }] }, /^relational_query\.hops.*1.*query: /)
  await refused({ start: { query: 'a' }, hops: [] }, /^relational_query\.hops: /)
})
