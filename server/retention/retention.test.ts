import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openTasks } from '../../test/background.ts'
import { retention } from './retention.ts'

let tasks: Awaited<ReturnType<typeof openTasks>>
before(async () => {
  tasks = await openTasks(new Map([[retention.type, retention]]))
})
after(() => tasks.drop())

beforeEach(async () => {
  await sql`delete from retention_policies`.execute(tasks.db)
})

const policy = (what: string, days: number, isActive = true) =>
  sql`insert into retention_policies (name, what, keep_days, is_active)
    values (gen_random_uuid()::text, ${what}, ${days}, ${isActive})`.execute(tasks.db)

async function removed(): Promise<unknown> {
  await using _worker = await tasks.startWorker()
  const { id } = await tasks.start(retention)
  const run = await tasks.until(id, 'SUCCESS', 'FAILURE', 'RETRY')
  assert.equal(run.error_detail, null)
  return (run.result as { removed: unknown }).removed
}

const count = async (table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(tasks.db)
  return rows[0]?.count ?? 0
}

test('data older than the policies allow is deleted in batches, and the rest is kept', async () => {
  const { db } = tasks
  const age = sql`now() - make_interval(days => age)`
  await sql`delete from changes`.execute(db)
  await sql`
    insert into audit_trail (id, at, method, route, path, status, address, user_agent, milliseconds)
    select gen_random_uuid(), ${age}, 'GET', '', '', 200, '', '', 1
    from generate_series(1, 12001) as i(n), (values (9), (11)) as j(age) where age = 11 or n <= 3`.execute(db)
  await sql`
    insert into changes (at, resource, kind, ids) select ${age}, 'tickets', 'update', '{1}'
    from (values (22), (21), (19)) as j(age)`.execute(db)
  await sql`update followers set change = (select max(id) from changes), item = 1`.execute(db)
  await sql`
    insert into task_runs (id, task, state, ended_at)
    select gen_random_uuid(), ${tasks.taskIds.get(retention.type)}::integer, 'SUCCESS', ${age}
    from (values (29), (31)) as j(age)`.execute(db)
  await policy('audit-trail', 10)
  await policy('audit-trail', 5000)
  await policy('history-events', 20)
  await policy('task-runs', 30)
  assert.deepEqual(await removed(), { 'audit-trail': 12_001, 'history-events': 2, 'task-runs': 1 })
  assert.equal(await count('audit_trail'), 3)
})

test('changes stay until every follower has handled them, but do not wait for webhooks', async () => {
  const { db } = tasks
  await sql`delete from changes`.execute(db)
  const { rows } = await sql<{ id: number }>`
    insert into changes (at, resource, kind, ids)
    select now() - interval '30 days', 'tickets', 'update', '{1}' from generate_series(1, 5)
    returning id`.execute(db)
  const [, , third, , last] = rows.map(({ id }) => id)
  await sql`insert into followers (name, owner) values ('webhooks', 1), ('lagging', 0)`.execute(db)
  await sql`update followers set change = ${last}, item = 1 where name not in ('webhooks', 'lagging')`.execute(db)
  await policy('history-events', 20)
  assert.deepEqual(await removed(), { 'history-events': 0 }, 'it has handled nothing')
  await sql`update followers set change = ${third}, item = 1 where name = 'lagging'`.execute(db)
  assert.deepEqual(await removed(), { 'history-events': 2 })
  await sql`update followers set change = ${last}, item = 1 where name = 'lagging'`.execute(db)
  assert.deepEqual(await removed(), { 'history-events': 2 })
})

test('without an active policy nothing is deleted', async () => {
  const before = await count('audit_trail')
  assert.ok(before > 0)
  await policy('audit-trail', 1, false)
  assert.deepEqual(await removed(), {})
  assert.equal(await count('audit_trail'), before)
})

interface Made {
  readonly name: string
  readonly start: number | null
  readonly end: number | null
  readonly updated?: number
}

async function makeEntities(made: readonly Made[]): Promise<void> {
  await sql`
    insert into entities (id, stix_id, type, vis, half_life, threat_start, threat_end, last_updated_at, data, meta, search)
    select gen_random_uuid(), name, 'indicator', 8, 10, now() - make_interval(days => start), now() - make_interval(days => "end"),
      now() - make_interval(days => coalesce(updated, 1000)), '{}', '{}', ''
    from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as i(name text, start integer, "end" integer, updated integer)`.execute(
    tasks.db,
  )
}

test('inactive entities are deleted long after their threat ended, with everything attached, even if others see them', async () => {
  const { db } = tasks
  await makeEntities([
    { name: 'ended long ago', start: null, end: 101 },
    { name: 'ended not so long ago', start: 900, end: 99 },
    { name: 'spent long ago', start: 171, end: null },
    { name: 'spent not so long ago', start: 169, end: null },
    { name: 'to end later', start: 900, end: -900 },
    { name: 'without times', start: null, end: null },
    { name: 'written onto', start: 900, end: 900, updated: 99 },
    { name: 'in a dataset', start: 900, end: 900 },
    { name: 'in a ticket', start: 900, end: 900 },
    { name: 'in a workspace', start: 900, end: 900 },
    ...Array.from({ length: 1100 }, (_, i) => ({ name: `many ${i}`, start: 900, end: 900 })),
  ])
  await sql`insert into datasets (name) values ('kept')`.execute(db)
  await sql`insert into tickets (name) values ('kept')`.execute(db)
  await sql`
    insert into dataset_entities (source, target)
    select d.id, e.id from datasets as d, entities as e where e.stix_id = 'in a dataset'`.execute(db)
  await sql`
    insert into ticket_entities (source, target)
    select d.id, e.id from tickets as d, entities as e where e.stix_id = 'in a ticket'`.execute(db)
  await sql`
    insert into workspace_entities (source, target)
    select 1, e.id from entities as e where e.stix_id = 'in a workspace'`.execute(db)
  await sql`
    insert into entity_versions (entity_id, version, vis, at, data, meta)
    select id, 1, 8, now(), '{}', '{}' from entities where stix_id = 'ended long ago'`.execute(db)
  await policy('inactive-entities', 100)
  assert.deepEqual(await removed(), { 'inactive-entities': 1102 })
  const { rows } = await sql<{ stix_id: string }>`select stix_id from entities order by stix_id`.execute(db)
  assert.deepEqual(
    rows.map(({ stix_id }) => stix_id),
    [
      'ended not so long ago',
      'in a dataset',
      'in a ticket',
      'in a workspace',
      'spent not so long ago',
      'to end later',
      'without times',
      'written onto',
    ],
  )
  assert.equal(await count('entity_versions'), 0)
  const { rows: noted } = await sql<{ kind: string; ids: string[] }>`
    select kind, ids from changes where resource = 'entities'`.execute(db)
  assert.ok(noted.every(({ kind }) => kind === 'delete'))
  assert.equal(noted.flatMap(({ ids }) => ids).length, 1102)
})

test('a placeholder is deleted with the last inactive entity that refers to it', async () => {
  const { db } = tasks
  await makeEntities([
    { name: 'old', start: 900, end: 900 },
    { name: 'also old', start: 900, end: 900 },
    { name: 'recent', start: 1, end: null },
    { name: 'awaited by old ones', start: null, end: null },
    { name: 'awaited by a recent one', start: null, end: null },
  ])
  await sql`update entities set is_unresolved = true where stix_id like 'awaited by %'`.execute(db)
  await sql`
    insert into awaited_entities (entity, stix_id)
    select e.id, p.stix_id
    from (values ('old', 'awaited by old ones'), ('also old', 'awaited by old ones'), ('also old', 'awaited by a recent one'),
      ('recent', 'awaited by a recent one')) as p(name, stix_id)
    join entities as e on e.stix_id = p.name`.execute(db)
  await policy('inactive-entities', 100)
  assert.deepEqual(await removed(), { 'inactive-entities': 2 })
  const { rows } = await sql<{ stix_id: string }>`select stix_id from entities where is_unresolved`.execute(db)
  assert.deepEqual(rows, [{ stix_id: 'awaited by a recent one' }])
})

test('feed content is purged by the setting of the feed or else by a policy, and its rows are kept', async () => {
  const { db } = tasks
  const { rows } = await sql<{ id: number }>`
    insert into outgoing_feeds (name, content_type, transport_type, keep_days)
    values ('short', 'x', 'x', 5), ('usual', 'x', 'x', null) returning id`.execute(db)
  await sql`
    insert into content_blocks (outgoing_feed, epoch, run_id, content_type, filename, size, items_count, destination, delivery_status,
      created_at)
    select id, 1, gen_random_uuid(), 'x', 'x', 1, 1, gen_random_uuid(), 'READY', now() - make_interval(days => age)
    from unnest(${rows.map(({ id }) => id)}::integer[]) as f(id), (values (20), (8), (1)) as j(age)`.execute(db)
  assert.deepEqual(await removed(), { 'content-blocks': 2 })
  await policy('content-blocks', 10)
  assert.deepEqual(await removed(), { 'content-blocks': 1 })
  assert.deepEqual(await removed(), { 'content-blocks': 0 })
  assert.equal(await count('content_blocks'), 6)
})
