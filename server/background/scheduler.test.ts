import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openTasks } from '../../test/background.ts'
import { simple, single } from '../../test/task-types.ts'
import { scheduleRuns } from './scheduler.ts'
import type { Task } from './task.ts'

let tasks: Awaited<ReturnType<typeof openTasks>>
before(async () => {
  tasks = await openTasks()
})
beforeEach(async () => {
  await sql`update tasks set execution_schedule = null, next_run_at = null, is_active = true`.execute(tasks.db)
  await sql`delete from task_runs`.execute(tasks.db)
})
after(() => tasks.drop())

const everyMinute = { cron: null, interval: 60, time_zone: 'UTC' }
const tick = () => scheduleRuns(tasks.db, tasks.types, tasks.log)

async function plan({ type }: Task, schedule: unknown, due: string, isActive = true): Promise<void> {
  await sql`
    update tasks
    set execution_schedule = ${JSON.stringify(schedule)}::jsonb,
      next_run_at = now() + ${due}::interval,
      is_active = ${isActive}
    where type = ${type}`.execute(tasks.db)
}

async function look({ type }: Task): Promise<{ runs: number; wait: number | null }> {
  const { rows } = await sql<{ runs: number; wait: number | null }>`
    select (select count(*) from task_runs as r where r.task = t.id) as runs,
      extract(epoch from next_run_at - now())::float8 as wait
    from tasks as t where type = ${type}`.execute(tasks.db)
  return rows[0] ?? { runs: 0, wait: null }
}

test('due tasks start, and others do not', async () => {
  await plan(simple, everyMinute, '10 seconds')
  assert.equal(await tick(), 0)
  await plan(simple, everyMinute, '-1 second')
  assert.equal(await tick(), 1)
  const { runs, wait } = await look(simple)
  assert.equal(runs, 1)
  assert.ok(wait !== null && wait > 57 && wait <= 59.1, `${wait}`)
})

test('a slot is served once, even by several workers at the same time', async () => {
  for (let round = 1; round <= 20; round++) {
    await plan(simple, everyMinute, '-1 second')
    const started = await Promise.all([tick(), tick(), tick()])
    assert.equal(
      started.reduce((sum, n) => sum + n),
      1,
    )
    assert.equal((await look(simple)).runs, round)
  }
})

test('missed slots become one run, and the rhythm is kept', async () => {
  await plan(simple, everyMinute, '-610 seconds')
  await tick()
  await tick()
  const { runs, wait } = await look(simple)
  assert.equal(runs, 1)
  assert.ok(wait !== null && Math.abs(wait - 50) < 3, `${wait}`)
})

test('a task that is not active does not start', async () => {
  await plan(simple, everyMinute, '-1 second', false)
  assert.equal(await tick(), 0)
})

test('a unique task that is still busy misses its slot', async () => {
  await plan(single, everyMinute, '-1 second')
  assert.equal(await tick(), 1)
  await plan(single, everyMinute, '-1 second')
  assert.equal(await tick(), 0)
  const { runs, wait } = await look(single)
  assert.equal(runs, 1)
  assert.ok(wait !== null && wait > 0)
})

test('a task without a next time gets one, and does not start at once', async () => {
  await plan(simple, { cron: '0 3 * * *', interval: null, time_zone: 'UTC' }, '0')
  await sql`update tasks set next_run_at = null where type = 'simple'`.execute(tasks.db)
  assert.equal(await tick(), 0)
  const { rows } = await sql<{
    time: string
  }>`select to_char(next_run_at, 'HH24:MI:SS') as time from tasks where type = 'simple'`.execute(tasks.db)
  assert.equal(rows[0]?.time, '03:00:00')
})

test('a schedule that cannot be read does not delay others', async () => {
  await plan(simple, { cron: 'nonsense', interval: null, time_zone: 'UTC' }, '-2 seconds')
  await plan(single, everyMinute, '-1 second')
  await tick()
  assert.equal((await look(single)).runs, 1)
  assert.ok(((await look(simple)).wait ?? 0) > 3000)
})

test('a worker does not start tasks that it does not know', async () => {
  await plan(simple, everyMinute, '-1 second')
  assert.equal(await scheduleRuns(tasks.db, new Map(), tasks.log), 0)
  assert.ok(((await look(simple)).wait ?? 0) < 0)
})
