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
/** All of these are made between two kills, so that more would reach the cap before the last one. */
const CONCURRENCY = 2
/** After so many calls that arrive, the next process is killed. */
const CALLS_PER_KILL = 1

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

test('processes that are killed at random never exceed a cap, and each look-up takes effect once', async (t) => {
  const call = async (method: Method, path: string, data?: unknown) => {
    const { status, body } = await corvus.call(method, path, data === undefined ? undefined : { data })
    assert.ok(status < 300, `${status} ${path} ${JSON.stringify(body)}`)
    return body.data
  }
  // A killed process holds its look-ups until their lease ends, which is too long for a test. Look-ups in progress take less than this.
  const free = () =>
    corvus.pool.query(
      `update enrichment_requests set claimed_until = now() where claimed_until < now() + interval '108 seconds'`,
    )
  const kill = async () => {
    await sleep(randomInt(100))
    const victim = randomInt(PROCESSES)
    const child = running[victim]
    if (!child) return
    await end(child, 'SIGKILL')
    running[victim] = await start()
    killed++
    arrived = 0
  }
  // Kills are spread over the calls, and no call is answered during a kill, so that each hits look-ups in progress. Killed processes take some
  // counted calls with them, so that not as many calls are made as are allowed.
  const answered = new Set<string>()
  let kills = Promise.resolve()
  let [begun, killed, arrived] = [0, 0, 0]
  let hits = 0
  source.answers('/', async (response, call) => {
    const { value } = call
    if (++arrived >= CALLS_PER_KILL && begun === killed && begun < KILLS) {
      begun++
      kills = kill()
    }
    response.on('close', () => {
      if (response.writableFinished) answered.add(value)
      else hits++
    })
    await kills
    await sleep(randomInt(50))
    await finds({ kind: 'entity', type: 'malware', id: value, title: value })(response, call)
  })
  const enricher = await call('POST', 'enrichers', {
    name: 'crashing',
    enricher: 'builtin:own_service',
    is_active: true,
    supported_observable_types: ['domain'],
    parameters: { url: `${source.url}/` },
    execution_cap: CAP,
    concurrency: CONCURRENCY,
  })
  const items = Array.from({ length: LOOK_UPS }, (_, i) => ({ type: 'domain', value: `crash-${i}.example` }))
  const observables = (await call('PUT', 'observables', items)).map(({ id }: { id: number }) => id)
  const { task_run } = await call('POST', 'enrichers/batch-run', { enrichers: [enricher.id], observables })
  const run = String(task_run).split('/').at(-1)
  const endOf = (id: string | undefined, why: string) =>
    until(async () => {
      await free()
      const found = await call('GET', `tasks/runs/${id}`)
      await sleep(100)
      return found.ended_at ? found : undefined
    }, why)
  for (let count = 1; count <= KILLS; count++) {
    await until(async () => {
      await free()
      await sleep(100)
      return killed >= count
    }, `there are only ${killed} kills`)
  }
  const ended = await endOf(run, 'the run does not end')
  assert.equal(ended.state, 'CAP_REACHED', JSON.stringify(ended))
  assert.equal(killed, KILLS)
  assert.ok(source.calls.length <= CAP, `${source.calls.length} calls of ${CAP}`)
  const { found, empty, failed, not_done, look_ups } = ended.result
  assert.equal(look_ups, LOOK_UPS)
  assert.equal(found + empty + failed + not_done, LOOK_UPS, 'every look-up is counted')
  const effects = async () => {
    const { rows } = await corvus.pool.query(`
      select (select count(*)::integer from enrichments where state = 'FOUND') as stored,
        (select count(*)::integer from entities where type = 'malware') as entities,
        (select count(distinct data ->> 'title')::integer from entities where type = 'malware') as titles,
        (select coalesce(sum(cardinality(ids)), 0)::integer from changes
          where resource = 'entities' and kind = 'create' and cause_kind = 'enricher') as writes,
        (select count(*)::integer from entity_observables as l join entities as e on e.id = l.source where e.type = 'malware') as links,
        (select count(*)::integer from enrichment_requests) as waiting`)
    return rows[0]
  }
  // A look-up that was in progress when the run gave it up may be stored.
  await until(async () => {
    await free()
    await sleep(100)
    return (await effects()).waiting === 0
  }, 'a look-up of a killed process is not ended')
  const { stored } = await effects()
  assert.ok(stored >= found, `${stored} of ${found} were stored`)
  const once = (count: number) => ({
    stored: count,
    entities: count,
    titles: count,
    writes: count,
    links: count,
    waiting: 0,
  })
  assert.deepEqual(await effects(), once(stored))
  // An answer that was not stored was lost with its process; all others were.
  assert.ok(stored >= answered.size - KILLS * CONCURRENCY, `${stored} of ${answered.size} answers were stored`)
  t.diagnostic(
    `${source.calls.length} calls, ${answered.size} answers, ${stored} stored, ${hits} calls cut off by ${killed} kills`,
  )

  // Whatever was lost is looked up again, and takes effect once.
  await call('PATCH', `enrichers/${enricher.id}`, { execution_cap: null, concurrency: 20 })
  const again = await call('POST', 'enrichers/batch-run', { enrichers: [enricher.id], observables })
  const rest = await endOf(String(again.task_run).split('/').at(-1), 'the second run does not end')
  assert.partialDeepStrictEqual(rest, { state: 'SUCCESS', result: { cached: stored, found: LOOK_UPS - stored } })
  assert.deepEqual(await effects(), once(LOOK_UPS))
})
