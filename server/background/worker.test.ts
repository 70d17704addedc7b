import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openTasks } from '../../test/background.ts'
import { failing, patient, simple, single, slow, unspeakable, zero } from '../../test/task-types.ts'
import { until } from '../../test/until.ts'

let tasks: Awaited<ReturnType<typeof openTasks>>
let worker: { stop(): Promise<void> } | undefined

before(async () => {
  tasks = await openTasks()
})
afterEach(stopWorker)
after(() => tasks.drop())

async function stopWorker(): Promise<void> {
  await worker?.stop()
  worker = undefined
}

/** The job that delivers a run; undefined once it is obsolete. */
async function jobState(id: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`select state from jobs.job where id = ${id}`.execute(tasks.db)
  return rows[0]?.state
}

test('a run is SENT and its job created in one transaction, and neither exists if that fails', async () => {
  const { id } = await tasks.start(simple)
  assert.equal((await tasks.read(id)).state, 'SENT')
  assert.equal(await jobState(id), 'created')
  await tasks.stop(id)
  const count = sql<{ n: number }>`select (select count(*) from task_runs) + (select count(*) from jobs.job) as n`
  const before = await count.execute(tasks.db)
  await assert.rejects(tasks.start({ ...simple, type: 'no such task' }))
  assert.deepEqual((await count.execute(tasks.db)).rows, before.rows)
})

test('a run is STARTED, reports, and ends in SUCCESS with its result', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(simple, { value: { list: [1, null] } })
  const run = await tasks.until(id, 'SUCCESS')
  assert.deepEqual(run.result, { list: [1, null] })
  assert.equal(run.progress, 1)
  assert.equal(run.attempt, 1)
  assert.equal(run.error_detail, null)
  assert.ok(run.started_at && run.ended_at && run.started_at <= run.ended_at)
  assert.equal(await jobState(id), 'completed')
})

test('WARNING and CAP_REACHED are results', async () => {
  worker = await tasks.startWorker()
  for (const outcome of ['WARNING', 'CAP_REACHED']) {
    const { id } = await tasks.start(simple, { outcome, value: 7 })
    assert.equal((await tasks.until(id, outcome)).result, 7)
  }
})

test('a run starts as soon as it is requested, before the worker polls again', async () => {
  worker = await tasks.startWorker({ pollMs: 600_000 })
  for (let i = 0; i < 3; i++) {
    const { id } = await tasks.start(simple)
    await tasks.until(id, 'SUCCESS')
  }
})

test('progress and log are visible while the run is in progress', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(patient)
  await tasks.until(id, 'STARTED')
  const run = await until(async () => {
    const read = await tasks.read(id)
    return read.progress > 0 ? read : undefined
  }, 'no progress is seen')
  assert.deepEqual([run.state, run.progress, run.log], ['STARTED', 0.25, ['attempt 1 waits']])
  await tasks.stop(id)
})

test('a revoked run that waits is never started', async () => {
  const { id } = await tasks.start(simple)
  assert.deepEqual(await tasks.stop(id), [id])
  worker = await tasks.startWorker()
  await sleep(500)
  const run = await tasks.read(id)
  assert.deepEqual([run.state, run.attempt, run.started_at], ['REVOKED', 0, null])
  assert.ok(run.ended_at)
  assert.deepEqual(await tasks.stop(id), [])
})

test('a handler that ignores its signal cannot turn a revoked run into a SUCCESS', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(patient, { ignores_signal: true })
  await tasks.until(id, 'STARTED')
  await tasks.stop(id)
  await sleep(3000)
  const run = await tasks.read(id)
  assert.deepEqual([run.state, run.result], ['REVOKED', null])
})

test('a failed run is retried after a while, and is a FAILURE if that fails too', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(failing)
  const waiting = await tasks.until(id, 'RETRY')
  assert.equal(waiting.error_detail, 'The feed did not answer, attempt 1.')
  assert.equal(waiting.ended_at, null)
  const run = await tasks.until(id, 'FAILURE')
  assert.equal(run.attempt, 3)
  assert.equal(run.error_detail, 'The feed did not answer, attempt 3.')
  assert.deepEqual(run.log, [
    'Attempt 1 ended: The feed did not answer, attempt 1.',
    'Attempt 2 ended: The feed did not answer, attempt 2.',
  ])
})

test('a run that recovers is a SUCCESS without an error', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(failing, { times: 1 })
  const run = await tasks.until(id, 'SUCCESS', 'FAILURE')
  assert.deepEqual([run.state, run.result, run.error_detail], ['SUCCESS', { attempt: 2 }, null])
})

test('a final failure is not tried again', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(failing, { is_final: true })
  assert.equal((await tasks.until(id, 'FAILURE', 'RETRY')).attempt, 1)
  assert.equal((await tasks.read(id)).state, 'FAILURE')
})

test('readers learn nothing internal from a failure', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start({ ...failing, retryLimit: 0 }, { is_internal: true })
  const run = await tasks.until(id, 'FAILURE')
  assert.doesNotMatch(JSON.stringify(run), /hunter2|internals/)
  assert.match(run.error_detail ?? '', /internal error/)
})

test('a run whose parameters no longer fit fails with each of them named', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(failing, { times: 'x', is_final: 1 })
  const run = await tasks.until(id, 'FAILURE', 'RETRY')
  assert.equal(run.state, 'FAILURE')
  assert.match(run.error_detail ?? '', /parameters\.times: .*parameters\.is_final: /)
})

test('a result that cannot be stored is a FAILURE, but a NUL in its text is left out', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(unspeakable)
  assert.match((await tasks.until(id, 'FAILURE')).error_detail ?? '', /internal error/)
  const { id: nul } = await tasks.start(zero)
  assert.deepEqual((await tasks.until(nul, 'SUCCESS')).result, { text: 'ab' })
})

test('a run that takes too long is stopped', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(slow)
  const run = await tasks.until(id, 'FAILURE')
  assert.equal(run.error_detail, 'The run took longer than 1 seconds.')
})

test('a unique task has one open run, even for concurrent requests', async () => {
  const asked = await Promise.all(Array.from({ length: 5 }, () => tasks.start(single)))
  const started = asked.filter(({ busy }) => busy === undefined)
  assert.equal(started.length, 1)
  assert.ok(asked.every(({ busy }) => busy === undefined || busy === started[0]?.id))
  await tasks.stop(started[0]?.id ?? '')
  const next = await tasks.start(single)
  assert.equal(next.busy, undefined)
  await tasks.stop(next.id)
})

test('a worker that stops returns its runs, and the next one resumes them at once', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start({ ...patient, retryLimit: 0 })
  await tasks.until(id, 'STARTED')
  await stopWorker()
  const given = await tasks.read(id)
  assert.deepEqual([given.state, given.error_detail, given.ended_at], ['RETRY', 'The worker was stopped.', null])
  worker = await tasks.startWorker()
  assert.equal((await tasks.until(id, 'STARTED')).attempt, 2)
  await tasks.stop(id)
})

test('a worker that stops lets short runs end', async () => {
  worker = await tasks.startWorker()
  const { id } = await tasks.start(patient, { ignores_signal: true })
  await tasks.until(id, 'STARTED')
  await stopWorker()
  assert.equal((await tasks.read(id)).state, 'SUCCESS')
})

test('a run whose job is gone does not stay open', async () => {
  const { id } = await tasks.start(simple)
  await sql`delete from jobs.job where id = ${id}`.execute(tasks.db)
  worker = await tasks.startWorker()
  const run = await tasks.until(id, 'FAILURE')
  assert.match(run.error_detail ?? '', /nothing is left of its job/)
})

test('a thousand short runs all end once, on two workers', async () => {
  worker = await tasks.startWorker()
  await using _other = await tasks.startWorker()
  await tasks.startMany(simple, 1000)
  const open = sql<{ n: number }>`select count(*) as n from task_runs where ended_at is null`
  while ((await open.execute(tasks.db)).rows[0]?.n) await sleep(50)
  const { rows } = await sql<{ state: string; attempt: number; n: number }>`
    select state, attempt, count(*) as n from task_runs as r join tasks as t on t.id = r.task
    where t.type = 'simple' and r.created_at = (select max(created_at) from task_runs)
    group by state, attempt`.execute(tasks.db)
  assert.deepEqual(rows, [{ state: 'SUCCESS', attempt: 1, n: 1000 }])
})
