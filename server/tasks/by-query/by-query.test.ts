import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { BASE, startApp } from '../../../test/app.ts'
import { bareServer } from '../../../test/background.ts'
import { resourceMap } from '../../registry.ts'
import { startBackground } from '../background.ts'

const PERMISSIONS = ['entities', 'intel-sets', 'tasks'].flatMap((name) => [`read ${name}`, `modify ${name}`])

let corvus: Awaited<ReturnType<typeof startApp>>
let worker: Awaited<ReturnType<typeof startBackground>>
before(async () => {
  corvus = await startApp()
  worker = await startBackground({
    server: { ...bareServer(corvus), resources: resourceMap },
    connection: { connectionString: corvus.url },
    log: pino({ level: 'silent' }),
  })
})
after(async () => {
  await worker.stop()
  await corvus.stop()
})

type Item = Record<string, unknown>

async function make(path: string, item: Item, token = corvus.admin) {
  const { status, body } = await corvus.call('POST', path, { data: item }, token)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

/** Reports with these titles, and their ids. */
async function reports(items: readonly Item[], token = corvus.admin): Promise<string[]> {
  const data = items.map(({ title, ...rest }) => ({ data: { type: 'report', title }, ...rest }))
  const { status, body } = await corvus.call('PUT', 'entities', data, token)
  assert.ok(status < 300, JSON.stringify(body))
  return body.data.map(({ id }: { id: string }) => id)
}

const read = async (id: string) => (await corvus.call('GET', `entities/${id}`)).body.data
const statusOf = async (id: string) => (await corvus.call('GET', `entities/${id}`)).status

/** Starts a run and gives it when it has ended. */
async function done(path: string, body: Item, token = corvus.admin) {
  const answer = await corvus.call('POST', path, { data: body }, token)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  assert.deepEqual(Object.keys(answer.body.data), ['task_run'])
  const url: string = answer.body.data.task_run
  assert.ok(url.startsWith(`${BASE}/api/v2/tasks/runs/`), url)
  for (;;) {
    const { body: shown } = await corvus.call('GET', url.slice(BASE.length))
    if (shown.data.ended_at !== null) return shown.data
    await sleep(30)
  }
}

const outcome = (matched: number, changed: number, unchanged = 0) => ({
  matched,
  changed,
  unchanged,
  failed: 0,
  batches: matched === 0 ? 0 : 1,
})

test('what a query finds is deleted, and a run tells how much it was', async () => {
  const ids = await reports([{ title: 'magpie one' }, { title: 'magpie two' }, { title: 'jackdaw' }])
  const run = await done('entities/by-query/delete', { entities_query: 'data.title:magpie' })
  assert.deepEqual([run.state, run.progress, run.result], ['SUCCESS', 1, outcome(2, 2)])
  assert.deepEqual(await Promise.all(ids.map(statusOf)), [404, 404, 200])
  const again = await done('entities/by-query/delete', { entities_query: 'data.title:magpie' })
  assert.deepEqual([again.state, again.result], ['SUCCESS', outcome(0, 0)])
  const { body } = await corvus.call('GET', 'tasks?filter[type]=delete-entities-by-query')
  assert.deepEqual(
    body.data.map(({ name, is_system }: Item) => [name, is_system]),
    [['Delete entities by query', true]],
  )
})

test('a dry run only counts', async () => {
  const [id = ''] = await reports([{ title: 'goldfinch' }])
  const { id: dataset } = await make('datasets', { name: 'Dry', workspaces: [1] })
  for (const path of [
    'entities/by-query/delete',
    'entities/by-query/update',
    `datasets/${dataset}/entities/by-query`,
  ]) {
    const query = { entities_query: 'data.title:goldfinch', dry_run: true, added_tags: ['x'] }
    const { status, body } = await corvus.call('POST', path, query)
    assert.deepEqual([status, body], [200, { data: { count: 1 } }], path)
  }
  assert.deepEqual((await read(id)).meta.tags, [])
})

test('an update changes what it names, keeps the rest, and leaves a version as PATCH does', async () => {
  const [node] = await make('taxonomies', { path: 'by/query' })
  const leaf = (await corvus.call('GET', 'taxonomies?filter[name]=query')).body.data[0]
  const meta = { tags: ['old', 'kept'], tlp_color: 'GREEN', taxonomies: [node.id], attacks: ['TA0001'], half_life: 77 }
  const [first = '', second = ''] = await reports([
    { title: 'wren one', meta },
    {
      title: 'wren two',
      meta: { tags: ['kept', 'new'], tlp_color: 'RED', taxonomies: [leaf.id], attacks: ['TA0002'] },
    },
  ])
  const change = {
    entities_query: 'data.title:wren',
    added_tags: [' new ', ''],
    removed_tags: ['old'],
    added_taxonomies: ['by/query'],
    removed_taxonomies: [`${BASE}/api/v2/taxonomies/${node.id}`],
    added_attacks: ['TA0002'],
    removed_attacks: [`${BASE}/api/v2/attacks/TA0001`],
    confidence: 'High',
    tlp_color: 'RED',
  }
  assert.deepEqual((await done('entities/by-query/update', change)).result, outcome(2, 2))
  for (const id of [first, second]) {
    const { data, meta: now } = await read(id)
    assert.equal(data.confidence, 'high')
    assert.deepEqual([now.tags, now.tlp_color], [['kept', 'new'], 'RED'])
    assert.deepEqual(now.taxonomies, [`${BASE}/api/v2/taxonomies/${leaf.id}`])
    assert.deepEqual(now.attacks, [`${BASE}/api/v2/attacks/TA0002`])
  }
  assert.equal((await read(first)).meta.half_life, 77)
  const versions = (await corvus.call('GET', `entities/${first}/versions`)).body.data
  assert.deepEqual([versions.length, versions[0].meta.tags, versions[0].meta.tlp_color], [1, ['old', 'kept'], 'GREEN'])
  assert.deepEqual((await done('entities/by-query/update', change)).result, outcome(2, 0, 2))
  assert.equal((await corvus.call('GET', `entities/${first}/versions`)).body.total_count, 1)
  const found = await corvus.call('GET', 'entities?query=tags:new AND meta.taxonomies:*&data=false')
  assert.equal(found.body.total_count, 2)
  await done('entities/by-query/update', { entities_query: 'data.title:wren', tlp_color: null })
  assert.equal((await read(second)).meta.tlp_color, null)
})

test('a tag that an update adds can be found by a pattern', async () => {
  await reports([{ title: 'siskin' }])
  await done('entities/by-query/update', { entities_query: 'data.title:siskin', added_tags: ['quartzite'] })
  const { body } = await corvus.call('GET', 'entities?query=tags:*artzi*&data=false')
  assert.equal(body.total_count, 1)
})

test('the confidence stays in the form in which an entity has it', async () => {
  const data = [
    { type: 'report', title: 'linnet', confidence: { type: 'confidence', value: 'Low', description: 'a guess' } },
    { type: 'custom-entity', title: 'linnet', custom_entity_type: 'bird' },
    { type: 'report', title: 'linnet', confidence: 'high' },
  ]
  const made = await corvus.call(
    'PUT',
    'entities',
    data.map((each) => ({ data: each })),
  )
  const query = { entities_query: 'data.title:linnet', confidence: 'High' }
  assert.deepEqual((await done('entities/by-query/update', query)).result, outcome(3, 2, 1))
  const now = await Promise.all(made.body.data.map(async ({ id }: { id: string }) => (await read(id)).data.confidence))
  assert.deepEqual(now, [
    { type: 'confidence', value: 'High', description: 'a guess' },
    { type: 'confidence', value: 'High' },
    'high',
  ])
})

test('a dataset is filled, narrowed and emptied', async () => {
  const [a, b, c] = await reports([{ title: 'bunting red' }, { title: 'bunting blue' }, { title: 'sparrow' }])
  const { id } = await make('datasets', { name: 'Birds', workspaces: [1], entities: [b, c] })
  const path = `datasets/${id}/entities/by-query`
  const inside = async () =>
    (await corvus.call('GET', `entities?filter[datasets]=${id}`)).body.data.map((each: Item) => each.id)
  assert.deepEqual((await done(path, { entities_query: 'data.title:bunting' })).result, outcome(2, 1, 1))
  assert.deepEqual(await inside(), [a, b, c])
  const replaced = await done(path, { entities_query: 'data.title:blue', action: 'replace' })
  assert.deepEqual(replaced.result, { matched: 1, changed: 2, unchanged: 1, failed: 0, batches: 2 })
  assert.deepEqual(await inside(), [b])
  assert.deepEqual((await done(path, { entities_query: '*', action: 'remove' })).result.changed, 1)
  assert.deepEqual(await inside(), [])
  const dynamic = await make('datasets', { name: 'By itself', workspaces: [1], search_query: 'x' })
  for (const [dataset, status] of [
    [dynamic.id, 400],
    [999_999, 404],
    ['x', 404],
  ] as const) {
    const answer = await corvus.call('POST', `datasets/${dataset}/entities/by-query`, { entities_query: '*' })
    assert.equal(answer.status, status, `${dataset} ${JSON.stringify(answer.body)}`)
  }
})

test('nobody changes what they do not see, neither an entity nor a place in a dataset', async () => {
  const loner = await corvus.tokenFor(PERMISSIONS)
  const { id: user } = (await corvus.call('GET', 'users/self', undefined, loner)).body.data
  const group = await make('groups', { name: 'Loners', users: [user] })
  const { source } = (await corvus.call('GET', `groups/${group.id}`)).body.data
  const [hidden = ''] = await reports([{ title: 'nightjar hidden', sources: [source] }], loner)
  const [open = ''] = await reports([{ title: 'nightjar open' }])
  const { id: dataset } = await make('datasets', { name: 'Dusk', workspaces: [1] })
  const query = { entities_query: 'data.title:nightjar' }
  const path = `datasets/${dataset}/entities/by-query`
  assert.deepEqual((await done(path, query, loner)).result, outcome(2, 2))
  const emptied = await done(path, { entities_query: 'data.title:no_such_bird', action: 'replace' })
  assert.deepEqual([emptied.result.matched, emptied.result.changed], [0, 1])
  const left = (await corvus.call('GET', `datasets/${dataset}`, undefined, loner)).body.data.entities_count
  assert.equal(left, 1, 'what one does not see stays')
  assert.deepEqual((await corvus.call('POST', 'entities/by-query/delete', { ...query, dry_run: true })).body, {
    data: { count: 1 },
  })
  assert.deepEqual((await done('entities/by-query/update', { ...query, added_tags: ['seen'] })).result, outcome(1, 1))
  assert.deepEqual((await done('entities/by-query/delete', query)).result, outcome(1, 1))
  assert.equal(await statusOf(open), 404)
  const still = await corvus.call('GET', `entities/${hidden}`, undefined, loner)
  assert.deepEqual([still.status, still.body.data.meta.tags], [200, []])
})

test('what may not be done is a 403 that names it', async () => {
  for (const [permissions, path, lacking] of [
    [['read entities'], 'entities/by-query/delete', 'modify entities'],
    [['read entities'], 'entities/by-query/update', 'modify entities'],
    [['modify entities', 'read entities'], 'datasets/1/entities/by-query', 'modify intel-sets'],
    [['modify entities'], 'entities/by-query/delete', 'read entities'],
  ] as const) {
    const token = await corvus.tokenFor(permissions)
    const { status, body } = await corvus.call('POST', path, { entities_query: '*' }, token)
    assert.deepEqual([status, body[0].detail], [403, `Missing permissions: [${lacking}]`])
  }
})

test('a run does nothing that its starter may not, or no longer', async () => {
  const [id = ''] = await reports([{ title: 'shrike' }])
  const { data } = (await corvus.call('GET', 'tasks?filter[type]=delete-entities-by-query')).body
  const parameters = { entities_query: 'data.title:shrike' }
  const weak = await corvus.tokenFor(['modify tasks'])
  const gone = await corvus.tokenFor(PERMISSIONS)
  const { id: user } = (await corvus.call('GET', 'users/self', undefined, gone)).body.data
  await worker.stop()
  const asked = [await corvus.call('POST', 'tasks/runs', { task: data[0].id, parameters }, weak)]
  asked.push(await corvus.call('POST', 'tasks/runs', { task: data[0].id, parameters }, gone))
  await sql`update users set is_active = false where id = ${user}`.execute(corvus.db)
  worker = await startBackground({
    server: { ...bareServer(corvus), resources: resourceMap },
    connection: { connectionString: corvus.url },
    log: pino({ level: 'silent' }),
  })
  const ended = await Promise.all(
    asked.map(async ({ body }) => {
      for (;;) {
        const run = (await corvus.call('GET', `tasks/runs/${body.data.id}`)).body.data
        if (run.ended_at !== null) return [run.state, run.attempt, run.error_detail]
        await sleep(30)
      }
    }),
  )
  assert.deepEqual(ended, [
    ['FAILURE', 1, 'Missing permissions: [modify entities, read entities]'],
    ['FAILURE', 1, 'The run works for who started it, and there is no such user.'],
  ])
  assert.equal(await statusOf(id), 200)
})

test('a tag that an update adds is found by a part of it', async () => {
  const [id] = await reports([{ title: 'nightjar' }])
  await done('entities/by-query/update', { entities_query: 'data.title:nightjar', added_tags: ['crepuscular'] })
  const { body } = await corvus.call('GET', 'entities?query=tags:*puscul*')
  assert.deepEqual(
    body.data.map((entity: Item) => entity.id),
    [id],
  )
})

test('a relational query chooses what it leads to', async () => {
  const [from = '', to = '', other = ''] = await reports([
    { title: 'wren' },
    { title: 'its end' },
    { title: 'wren two' },
  ])
  const { sources } = await read(from)
  await make('relationships', { data: { source: from, target: to, key: 'refers-to' }, sources })
  const relational_query = { start: { query: 'data.title:wren' }, hops: [{ direction: 'out' }] }
  const run = await done('entities/by-query/delete', { relational_query })
  assert.deepEqual([run.state, run.result], ['SUCCESS', outcome(1, 1)])
  assert.deepEqual(await Promise.all([from, to, other].map(statusOf)), [200, 404, 200])
})

test('what cannot be understood is refused before there is a run', async () => {
  const count = async () => (await corvus.call('GET', 'tasks/runs?data=false')).body.total_count
  const before = await count()
  for (const [body, detail] of [
    [{ entities_query: 'data.title:(a OR' }, /^data\.entities_query: .*column 17/],
    [{ entities_query: 'data.title:/(/' }, /regular expression/],
    [{ entities_query: ' ' }, /^entities_query: is required/],
    [{}, /^entities_query: is required/],
    [{ entities_query: '*', relational_query: { start: {}, hops: [{}] } }, /^data\.relational_query\.start: needs/],
    [{ entities_query: '*', time_zone: 'CET' }, /^data\.time_zone: must have the form \+hh:mm or -hh:mm/],
    [{ entities_query: '*', time_zone: '+15:00' }, /^data\.time_zone: /],
    [{ entities_query: '*', confidence: 'high' }, /^data\.confidence: /],
    [{ entities_query: '*', tlp_color: 'PINK' }, /^data\.tlp_color: /],
    [{ entities_query: '*', added_tags: 'x' }, /^data\.added_tags: /],
    [{ entities_query: '*', added_taxonomies: ['no/such'] }, /^added_taxonomies\[0\]: there is no 'no\/such'/],
    [{ entities_query: '*', removed_attacks: ['a b'] }, /^removed_attacks\[0\]: there is no 'a b'/],
    [{ entities_query: '*', added_tags: ['x'], removed_tags: ['x'] }, /^removed_tags: 'x' is in added_tags as well/],
  ] as const) {
    const answer = await corvus.call('POST', 'entities/by-query/update', { data: body })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(answer.body[0].detail, detail)
  }
  assert.equal(await count(), before)
})

test('days begin where the clock of who asks says so', async () => {
  await reports([{ title: 'swift', meta: { estimated_threat_start_time: '2025-01-10T23:30:00Z' } }])
  const found = async (time: string, time_zone?: string) => {
    const entities_query = `data.title:swift AND meta.estimated_threat_start_time:${time}`
    const { body } = await corvus.call('POST', 'entities/by-query/delete', { entities_query, time_zone, dry_run: true })
    return body.data.count
  }
  for (const [time, zone, count] of [
    ['2025-01-10', undefined, 1],
    ['2025-01-10', '+00:00', 1],
    ['2025-01-10', '+01:00', 0],
    ['2025-01-11', '+01:00', 1],
    ['"2025-01-11T00:30:00"', '+01:00', 1],
    ['"2025-01-10T23:30:00Z"', '+01:00', 1],
    ['"2025-01-10T23:45:00Z||/d"', '+01:00', 1],
    ['"2025-01-10T23:45:00Z||/d"', '-05:30', 1],
    ['"2025-01-10T22:45:00Z||/d"', '+01:00', 0],
  ] as const) {
    assert.equal(await found(time, zone), count, `${time} ${zone}`)
  }
})
