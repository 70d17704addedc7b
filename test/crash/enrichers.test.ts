import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Method, startApp } from '../app.ts'
import { effort } from '../effort.ts'
import { type Running, startProcess } from '../process.ts'
import { finds, startSource } from '../set-up/enrichers.ts'
import { until } from '../until.ts'

const PROCESSES = effort(4, 2)
const LOOK_UPS = effort(1000, 60)
const CAP = effort(100, 20)
const KILLS = effort(20, 3)

/** The application that the test calls, on the database of the processes that it kills. */
let corvus: Awaited<ReturnType<typeof startApp>>
let source: Awaited<ReturnType<typeof startSource>>
let running: Running[] = []

const start = () =>
  startProcess(corvus.config.dataFolder, {
    DATABASE_URL: corvus.url,
    CORVUS_LOG_LEVEL: 'silent',
    CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8',
  })

const end = async ({ child }: Running, signal: 'SIGTERM' | 'SIGKILL') => {
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

before(async () => {
  corvus = await startApp()
  source = await startSource()
  running = await Promise.all(Array.from({ length: PROCESSES }, start))
})
after(async () => {
  await Promise.all(running.map((each) => end(each, 'SIGTERM')))
  await source.stop()
  await corvus.stop()
})

test('processes that are killed at random never exceed a cap, and each look-up takes effect once', async () => {
  const call = async (method: Method, path: string, data?: unknown) => {
    const { status, body } = await corvus.call(method, path, data === undefined ? undefined : { data })
    assert.ok(status < 300, `${status} ${path} ${JSON.stringify(body)}`)
    return body.data
  }
  source.answers('/', async (response, { value }) => {
    await sleep(randomInt(20))
    await finds({ kind: 'entity', type: 'malware', id: value, title: value })(response, { value } as never)
  })
  const enricher = await call('POST', 'enrichers', {
    name: 'crashing',
    enricher: 'builtin:own_service',
    is_active: true,
    supported_observable_types: ['domain'],
    parameters: { url: `${source.url}/` },
    execution_cap: CAP,
    concurrency: 10,
  })
  const items = Array.from({ length: LOOK_UPS }, (_, i) => ({ type: 'domain', value: `crash-${i}.example` }))
  const observables = (await call('PUT', 'observables', items)).map(({ id }: { id: number }) => id)
  const { task_run } = await call('POST', 'enrichers/batch-run', { enrichers: [enricher.id], observables })
  const run = String(task_run).split('/').at(-1)
  // A killed process holds its look-ups until their lease ends, which is too long for a test.
  const free = () =>
    corvus.pool.query(
      `update enrichment_requests set claimed_until = now() where claimed_until < now() + interval '118 seconds'`,
    )
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(randomInt(400))
    const victim = randomInt(PROCESSES)
    await end(running[victim] as Running, 'SIGKILL')
    await free()
    running[victim] = await start()
  }
  const ended = await until(async () => {
    await free()
    const found = await call('GET', `tasks/runs/${run}`)
    return found.ended_at ? found : undefined
  }, 'the run does not end')
  assert.equal(ended.state, 'CAP_REACHED', JSON.stringify(ended))
  assert.ok(source.calls.length <= CAP, `${source.calls.length} calls of ${CAP}`)
  const { found, empty, failed, not_done, look_ups } = ended.result
  assert.equal(look_ups, LOOK_UPS)
  assert.equal(found + empty + failed + not_done, LOOK_UPS, 'every look-up is counted')
  const { rows } = await corvus.pool.query(`
    select (select count(*)::integer from enrichments where state = 'FOUND') as stored,
      (select count(*)::integer from entities where type = 'malware') as entities,
      (select count(*)::integer from changes where resource = 'entities' and kind = 'create' and cause_kind = 'enricher') as writes,
      (select count(*)::integer from enrichment_requests) as waiting`)
  assert.deepEqual(rows[0], { stored: found, entities: found, writes: found, waiting: 0 })
})
