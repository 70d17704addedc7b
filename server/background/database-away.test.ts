import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { openTasks } from '../../test/background.ts'
import { openRelay } from '../../test/set-up/database-relay.ts'
import { until } from '../../test/until.ts'
import { defineTask } from './task.ts'

/** The errors that ended attempts of `asking`. */
const outages: unknown[] = []

/** Queries the database repeatedly until it is told to end; it may not fail even once. */
const asking = defineTask({
  type: 'asking',
  doc: 'Asks the database.',
  parameters: z.object({}),
  retryLimit: 0,
  run: async ({ db, log }) => {
    log('asks')
    for (;;) {
      const { rows } = await sql<{ description: string }>`
        select description from tasks where name = 'asking'`
        .execute(db)
        .catch((error) => {
          outages.push(error)
          throw error
        })
      if (rows[0]?.description === 'enough') return { result: 'answered' }
      await sleep(20)
    }
  },
})

/** Runs no query, and fails once, after an outage: that attempt counts. */
const faulty = defineTask({
  type: 'faulty',
  doc: 'Fails.',
  parameters: z.object({}),
  retryLimit: 0,
  run: async ({ db }) => {
    await sql`select 1`.execute(db)
    throw new Error('a fault of its own')
  },
})

const types = new Map([asking, faulty].map((type) => [type.type, type]))

let tasks: Awaited<ReturnType<typeof openTasks>>
let relay: Awaited<ReturnType<typeof openRelay>>
before(async () => {
  tasks = await openTasks(types)
  relay = await openRelay(tasks.url)
})
after(async () => {
  await relay.close()
  await tasks.drop()
})

const say = (text: string) => sql`update tasks set description = ${text} where name = 'asking'`.execute(tasks.db)

/** Waits for the nth attempt of a run, and returns the run. */
async function attemptOf(id: string, n: number) {
  for (const deadline = Date.now() + 60_000; ; await sleep(20)) {
    const run = await tasks.read(id)
    if (run.attempt >= n && run.state === 'STARTED') return run
    if (Date.now() > deadline) throw new Error(`The run is ${run.state} at attempt ${run.attempt}.`)
  }
}

test('attempts that ended because the database was away do not count', async () => {
  await say('')
  await using _worker = await tasks.startWorker({ concurrency: 2, way: relay.url })
  const { id } = await tasks.start(asking)
  for (const attempt of [1, 2, 3]) {
    await attemptOf(id, attempt)
    await relay.cut()
    await until(() => outages.length >= attempt, `attempt ${attempt} does not notice that the database is away`)
    await relay.restore()
  }
  const again = await attemptOf(id, 4)
  assert.ok(again.log.includes('Attempt 3 ended: The database could not be reached.'), again.log.join('\n'))
  await say('enough')
  const run = await tasks.until(id, 'SUCCESS', 'FAILURE')
  assert.deepEqual([run.state, run.result, run.error_detail], ['SUCCESS', 'answered', null])
  const { id: other } = await tasks.start(faulty)
  const failed = await tasks.until(other, 'SUCCESS', 'FAILURE')
  assert.equal(failed.state, 'FAILURE', 'a fault of its own counts')
})

test('a run that a living worker lost while the database was away gets its attempt back', async () => {
  await say('')
  await using _worker = await tasks.startWorker({ concurrency: 2, way: relay.url })
  const { id } = await tasks.start(asking)
  await attemptOf(id, 1)
  tasks.warnings.length = 0
  await relay.cut()
  // What the queue does with a job whose worker has not reported for too long.
  await sql`
    update jobs.job set state = 'failed', completed_on = now(), heartbeat_on = null where id = ${id}`.execute(tasks.db)
  await until(() => tasks.warnings.some((line) => line.includes('the heartbeat failed')), 'no heartbeat fails')
  await relay.restore()
  await attemptOf(id, 2)
  await say('enough')
  assert.equal((await tasks.until(id, 'SUCCESS', 'FAILURE')).state, 'SUCCESS')
})
