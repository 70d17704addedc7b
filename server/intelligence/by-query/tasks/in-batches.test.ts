import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../../test/app.ts'
import { bareServer } from '../../../../test/background.ts'
import { TaskError } from '../../../background/task.ts'
import { badRequest } from '../../../engine/errors.ts'
import { resourceMap } from '../../../registry.ts'
import { takeSnapshot } from '../snapshot.ts'
import { deleteEntitiesByQuery } from './delete-entities.ts'
import { inBatches } from './in-batches.ts'
import { updateEntitiesByQuery } from './update-entities.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let user: number
before(async () => {
  corvus = await startApp()
  user = (await corvus.call('GET', 'users/self')).body.data.id
  const items = Array.from({ length: 1200 }, (_, i) => ({ data: { type: 'report', title: `starling ${i}` } }))
  assert.equal((await corvus.call('PUT', 'entities', items)).status, 201)
})
after(() => corvus.stop())

/** A run as a worker creates it. `onProgress` is called after each batch. */
function jobOf<P>(parameters: P, onProgress: (fraction: number, controller: AbortController) => void = () => {}) {
  const controller = new AbortController()
  const lines: string[] = []
  return {
    ...bareServer(corvus),
    resources: resourceMap,
    id: '',
    attempt: 1,
    callerId: user,
    parameters,
    signal: controller.signal,
    progress: (fraction: number) => onProgress(fraction, controller),
    log: (line: string) => lines.push(line),
    lines,
  }
}

const count = async (query: string) =>
  (await corvus.call('GET', `entities?query=${encodeURIComponent(query)}&data=false`)).body.total_count

test('a refused batch changes nothing, and the others are applied', async () => {
  const job = jobOf({})
  let batch = 0
  const { result, outcome } = await inBatches(job, [], async (ctx) => [
    {
      found: await takeSnapshot(ctx, sql`true`),
      work: async (inside, ids) => {
        await sql`update entities set half_life = 7 where id = any(${ids}::uuid[])`.execute(inside.db)
        if (++batch === 2) throw badRequest('Not these.')
        return ids.length
      },
    },
  ])
  assert.deepEqual(result, { matched: 1200, changed: 700, unchanged: 0, failed: 500, batches: 3 })
  assert.equal(outcome, 'WARNING')
  assert.deepEqual(job.lines, ['The query found 1200 entities.', '500 entities were not changed: Not these.'])
  assert.equal(await count('meta.half_life:7'), 700)
})

test('an unexpected failure ends the attempt, and a deadlock is retried', async () => {
  const failing = (code: string, times: number) =>
    inBatches(jobOf({}), [], async (ctx) => [
      {
        found: await takeSnapshot(ctx, sql`t.half_life = 7`),
        work: async (_, ids) => {
          if (times-- > 0) throw Object.assign(new Error('Bad luck.'), { code })
          return ids.length
        },
      },
    ])
  await assert.rejects(failing('57P01', 1), /Bad luck/)
  const { result } = await failing('40P01', 2)
  assert.deepEqual(result, { matched: 700, changed: 700, unchanged: 0, failed: 0, batches: 2 })
})

test('a run without an active user fails permanently', async () => {
  const job = { ...jobOf(updateEntitiesByQuery.parameters.parse({ entities_query: '*' })), callerId: null }
  await assert.rejects(updateEntitiesByQuery.run(job), (error) => error instanceof TaskError && error.isFinal)
})

test('a stopped run leaves complete batches, and another one does the rest', async () => {
  const change = updateEntitiesByQuery.parameters.parse({ entities_query: 'NOT tags:done', added_tags: ['done'] })
  const stopped = jobOf(change, (_, controller) => controller.abort(new TaskError('Enough.')))
  await assert.rejects(updateEntitiesByQuery.run(stopped), /Enough/)
  assert.equal(await count('tags:done'), 500)
  const { result } = await updateEntitiesByQuery.run(jobOf(change))
  assert.deepEqual(result, { matched: 700, changed: 700, unchanged: 0, failed: 0, batches: 2 })

  const fractions: number[] = []
  const query = deleteEntitiesByQuery.parameters.parse({ entities_query: 'data.title:starling' })
  const cut = jobOf(query, (fraction, controller) => {
    fractions.push(fraction)
    if (fractions.length === 2) controller.abort(new TaskError('Enough.'))
  })
  await assert.rejects(deleteEntitiesByQuery.run(cut), /Enough/)
  assert.deepEqual(fractions, [500 / 1200, 1000 / 1200])
  assert.equal(await count('*'), 200)
})
