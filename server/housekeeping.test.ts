import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openTasks } from '../test/background.ts'
import { countRuns, longestWait } from './background/counts.ts'
import { housekeeping } from './housekeeping.ts'
import { prepareTasks } from './prepare-tasks.ts'

let tasks: Awaited<ReturnType<typeof openTasks>>
before(async () => {
  tasks = await openTasks(new Map([[housekeeping.type, housekeeping]]))
})
after(() => tasks.drop())

test('housekeeping removes expired data, keeps the rest, and reports the counts', async () => {
  const { db } = tasks
  const { rows: users } = await sql<{ id: number }>`
    insert into users (username) values ('sleeper') returning id`.execute(db)
  const user = users[0]?.id
  await sql`
    insert into sessions (user_id, hash, expires_at, last_seen_at)
    select ${user}::integer, hash::bytea, now() + ends::interval, now() - seen::interval
    from (values
      ('live', '1 hour', '1 minute'),
      ('expired', '-1 second', '1 minute'),
      ('idle', '1 hour', '2 days')) as i(hash, ends, seen)`.execute(db)
  await sql`
    insert into password_resets (hash, user_id, expires_at)
    select hash::bytea, ${user}::integer, now() + ends::interval
    from (values ('a', '1 hour'), ('b', '-1 hour')) as i(hash, ends)`.execute(db)
  await sql`
    insert into tokens (user_id, name, hash, expires_at)
    select ${user}::integer, name, name::bytea, now() + ends::interval
    from (values
      ('forever', null),
      ('expired', '-29 days'),
      ('long expired', '-31 days')) as i(name, ends)`.execute(db)

  await sql`
    insert into framework_loads (matrix, version, previous_version, state, origin, size, hash, compared_with, report, document, previous, created_at)
    select 'DISARM', '2', '1', i.state, '', 0, '', now(), '{}', i.document::bytea, i.previous::bytea, now() - i.age::interval
    from (values ('preview', '', null, '6 days'), ('preview', '', null, '8 days'), ('loaded', null, '', '8 days')) as i(state, document, previous, age)`.execute(
    db,
  )

  await sql`
    insert into ai_requests (feature, provider, model, prompt_tokens, answer_tokens, prompt_hash, created_at)
    select 'ai_assistant', 'ai-provider-ollama', 'm', 1, 1, '', now() - age::interval
    from unnest(array['12 months', '14 months']) as i(age)`.execute(db)
  await sql`
    insert into ai_summaries (key, created_at, result, sent)
    select key::bytea, now() - age::interval, '{}', '[]'
    from (values ('old', '31 days'), ('new', '29 days')) as i(key, age)`.execute(db)
  await sql`
    insert into ai_summaries (key, created_at, result, sent)
    select n::text::bytea, now() - interval '28 days', '{}', '[]' from generate_series(1, 10000) as n`.execute(db)

  await sql`insert into words (word) values ('unheld')`.execute(db)

  await using _worker = await tasks.startWorker()
  const { id } = await tasks.start(housekeeping)
  const run = await tasks.until(id, 'SUCCESS', 'FAILURE', 'RETRY')
  assert.equal(run.error_detail, null)
  const { removed, analyzed } = run.result as { removed: unknown; analyzed: number }
  assert.deepEqual(removed, {
    sessions: 2,
    password_resets: 1,
    tokens: 1,
    framework_loads: 1,
    ai_requests: 1,
    ai_summaries: 2,
    playbook_runs: 0,
    words: 1,
  })
  assert.ok(analyzed > 10)
  const { rows } = await sql<{ left: unknown }>`
    select array[
      (select count(*) from sessions),
      (select count(*) from password_resets),
      (select count(*) from tokens),
      (select count(*) from framework_loads),
      (select count(*) from ai_requests),
      (select count(*) from ai_summaries)] as left`.execute(db)
  assert.deepEqual(rows[0]?.left, [1, 1, 2, 2, 1, 10_000])
  assert.deepEqual(await countRuns(db), { SUCCESS: 1 })
})

test('the queue reports the number of runs and how long the oldest one has waited', async () => {
  const { id } = await tasks.start(housekeeping)
  await sql`update task_runs set created_at = now() - interval '90 seconds' where id = ${id}`.execute(tasks.db)
  assert.deepEqual(await countRuns(tasks.db), { SUCCESS: 1, SENT: 1 })
  const wait = await longestWait(tasks.db)
  assert.ok(wait >= 90 && wait < 100, `${wait}`)
  await tasks.stop(id)
})

test("system tasks are created once, by any number of processes, and keep users' changes", async () => {
  const { db } = tasks
  await sql`delete from tasks`.execute(db)
  await Promise.all([prepareTasks(db), prepareTasks(db), prepareTasks(db)])
  const read = async () =>
    (
      await sql<{ name: string; cron: string | null }>`
    select name, execution_schedule ->> 'cron' as cron from tasks where is_system order by type`.execute(db)
    ).rows
  assert.deepEqual(await read(), [
    { name: 'Feed health', cron: '10 * * * *' },
    { name: 'Housekeeping', cron: '0 3 * * *' },
    { name: 'Mail', cron: null },
    { name: 'Unused contents', cron: '45 3 * * *' },
    { name: 'Retention', cron: '30 2 * * *' },
  ])
  await sql`update tasks set name = 'Cleaning', execution_schedule = '{"cron": "0 5 * * *"}' where type = 'housekeeping'`.execute(
    db,
  )
  await prepareTasks(db)
  assert.deepEqual(await read(), [
    { name: 'Feed health', cron: '10 * * * *' },
    { name: 'Cleaning', cron: '0 5 * * *' },
    { name: 'Mail', cron: null },
    { name: 'Unused contents', cron: '45 3 * * *' },
    { name: 'Retention', cron: '30 2 * * *' },
  ])
})

test("a user's task of the same name does not prevent the system task", async () => {
  const { db } = tasks
  await sql`delete from tasks`.execute(db)
  await sql`insert into tasks (name, type) values ('Housekeeping', 'housekeeping')`.execute(db)
  await prepareTasks(db)
  const { rows } = await sql<{ name: string }>`select name from tasks where is_system order by type`.execute(db)
  const names = rows.map(({ name }) => name)
  assert.deepEqual(names, ['Feed health', 'Housekeeping (system)', 'Mail', 'Unused contents', 'Retention'])
})
