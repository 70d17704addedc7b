import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import {
  corvus,
  done,
  ended,
  type Item,
  make,
  outcome,
  PERMISSIONS,
  read,
  reports,
  statusOf,
  withoutWorker,
} from '../../../../test/set-up/by-query.ts'

test('matching entities are deleted, and the run counts them', async () => {
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

test('a missing permission is a 403 that names it', async () => {
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

test('a run has the current permissions of the user who started it', async () => {
  const [id = ''] = await reports([{ title: 'shrike' }])
  const { data } = (await corvus.call('GET', 'tasks?filter[type]=delete-entities-by-query')).body
  const parameters = { entities_query: 'data.title:shrike' }
  const weak = await corvus.tokenFor(['modify tasks'])
  const gone = await corvus.tokenFor(PERMISSIONS)
  const { id: user } = (await corvus.call('GET', 'users/self', undefined, gone)).body.data
  const asked: string[] = []
  await withoutWorker(async () => {
    for (const token of [weak, gone]) {
      const { body } = await corvus.call('POST', 'tasks/runs', { task: data[0].id, parameters }, token)
      asked.push(body.data.id)
    }
    await sql`update users set is_active = false where id = ${user}`.execute(corvus.db)
  })
  const runs = await Promise.all(asked.map((run) => ended(`tasks/runs/${run}`)))
  const told = runs.map(({ state, attempt, error_detail }) => [state, attempt, error_detail])
  assert.deepEqual(told, [
    ['FAILURE', 1, 'Missing permissions: [modify entities, read entities]'],
    [
      'FAILURE',
      1,
      'The run uses the permissions of the user who started it, but that account does not exist or is inactive.',
    ],
  ])
  assert.equal(await statusOf(id), 200)
})

test('a relational query selects the entities that it leads to', async () => {
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

test('invalid queries are refused before a run starts', async () => {
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

test('days begin at midnight in the time zone of the request', async () => {
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
