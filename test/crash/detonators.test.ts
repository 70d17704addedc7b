import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, afterEach, before, test } from 'node:test'
import { type Method, startApp } from '../app.ts'
import { startVendors, type What } from '../detonators/vendors.ts'
import { effort } from '../effort.ts'
import { type Running, startProcess } from '../process.ts'
import { until } from '../until.ts'

const KILLS_PER_STATE = effort(20, 1)
const PROCESSES = effort(4, 2)
const SAMPLES = effort(200, 40)
const LIMIT = effort(50, 10)

/** The application that the tests call, on the database of the processes that they kill. */
let corvus: Awaited<ReturnType<typeof startApp>>
let vendors: Awaited<ReturnType<typeof startVendors>>
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
  vendors = await startVendors()
})
afterEach(async () => {
  await Promise.all(running.map((each) => end(each, 'SIGTERM')))
  running = []
  vendors.reset()
})
after(async () => {
  await vendors.stop()
  await corvus.stop()
})

const call = async (method: Method, path: string, data?: unknown) => {
  const { status, body } = await corvus.call(method, path, data === undefined ? undefined : { data })
  assert.ok(status < 300, `${status} ${path} ${JSON.stringify(body)}`)
  return body.data
}

async function detonator(more: Record<string, unknown>) {
  const made = await call('POST', 'detonators', {
    adapter: 'cape',
    is_active: true,
    parameters: vendors.parameters.cape,
    ...more,
  })
  const terms = made.terms.map(({ id }: { id: string }) => id)
  await call('POST', `detonators/${made.id}/consent`, { terms })
  return made
}

/** Lets polls be due at once. */
const hurry = () => corvus.pool.query(`update detonations set due_at = now() where state in ('RUNNING', 'REPORTING')`)

/** A killed process holds its detonations until their lease ends, which is too long for a test. */
const free = () => corvus.pool.query('update detonations set claimed_until = now() where claim is not null')

/** The call that is under way while a process is killed in a state; none while it waits. */
const STATES: readonly [state: string, what: What | undefined][] = [
  ['WAITING', undefined],
  ['CHECKING', 'find'],
  ['SUBMITTING', 'submit'],
  ['RUNNING', 'poll'],
  ['REPORTING', 'report'],
]

for (const [state, what] of STATES) {
  test(`a process that is killed in ${state} repeats no more than the call in flight, and each result takes effect once`, async (t) => {
    vendors.finishesAfter(0)
    const { id } = await detonator({ name: `killed_${state.toLowerCase()}` })
    let repeated = 0
    running = [await start()]
    for (let kill = 1; kill <= KILLS_PER_STATE; kill++) {
      // Whether the call takes effect at the vendor before its process is killed.
      if (what) vendors.play(kill % 2 === 0 ? 'held' : 'held-before', { vendor: 'cape', what, times: 1 })
      const before = vendors.received({ what: 'submit' }).length
      const data = Buffer.from(`A program for ${state} ${kill}.`).toString('base64')
      const made = await call('POST', 'detonations', { detonator: id, data, filename: `${state}-${kill}.exe` })
      const received = () => (what ? vendors.received({ what }) : [])
      const asked = received().length
      const isReached = async () => {
        await hurry()
        const { rows } = await corvus.pool.query('select state from detonations where id = $1', [made.id])
        return received().length > asked && rows[0].state === state
      }
      if (what) await until(isReached, `${state} is not reached`)
      const [victim] = running
      assert.ok(victim)
      await end(victim, 'SIGKILL')
      running = []
      vendors.play(null)
      await free()
      running = [await start()]
      const ended = await until(async () => {
        await hurry()
        const found = await call('GET', `detonations/${made.id}`)
        return ['FINISHED', 'FAILED'].includes(found.state) ? found : undefined
      }, `${state}: it does not end`)
      assert.equal(ended.state, 'FINISHED', ended.state_reason)
      const submitted = vendors.received({ what: 'submit' }).length - before
      assert.ok(submitted >= 1 && submitted <= (state === 'SUBMITTING' ? 2 : 1), `${submitted} submissions`)
      repeated += submitted - 1
      const { rows } = await corvus.pool.query(
        `select (select count(*)::integer from entities where id = $1) as entities,
          (select count(*)::integer from changes where resource = 'entities' and kind = 'create' and ids @> array[$1::text]) as writes,
          (select count(*)::integer from entity_attachments where source = $1 and target = $2) as reports`,
        [String(ended.entity).split('/').at(-1), (await reportOf(made.id)) ?? null],
      )
      assert.deepEqual(rows[0], { entities: 1, writes: 1, reports: 1 })
    }
    const counted = (await call('GET', `detonators/${id}`)).today_detonation_count
    assert.equal(counted, vendors.received({ what: 'submit' }).length, 'every submission is counted')
    const { rows } = await corvus.pool.query(
      `select id from detonations where state in ('WAITING', 'CHECKING', 'SUBMITTING', 'RUNNING', 'REPORTING')`,
    )
    assert.deepEqual(rows, [], 'nothing is stuck')
    t.diagnostic(`${KILLS_PER_STATE} kills, ${repeated} submissions repeated`)
  })
}

const reportOf = async (id: string): Promise<string | undefined> =>
  (await corvus.pool.query('select report from detonations where id = $1', [id])).rows[0]?.report

test('several processes never exceed the limit of a day', async (t) => {
  vendors.finishesAfter(0)
  const { id } = await detonator({ name: 'limited', detonation_per_day_limit: LIMIT })
  running = await Promise.all(Array.from({ length: PROCESSES }, start))
  await Promise.all(
    Array.from({ length: SAMPLES }, (_, i) =>
      call('POST', 'detonations', { detonator: id, url: `https://limited-${i}.example/` }),
    ),
  )
  const counts = await until(async () => {
    await hurry()
    const { rows } = await corvus.pool.query(
      `select count(*) filter (where state = 'FINISHED')::integer as finished,
        count(*) filter (where state = 'WAITING' and due_at > now() and claim is null)::integer as waiting
      from detonations where detonator = $1`,
      [id],
    )
    return rows[0].finished + rows[0].waiting === SAMPLES ? rows[0] : undefined
  }, 'not all are finished or wait for the next day')
  assert.deepEqual(counts, { finished: LIMIT, waiting: SAMPLES - LIMIT })
  assert.equal(vendors.received({ what: 'submit' }).length, LIMIT)
  assert.equal((await call('GET', `detonators/${id}`)).today_detonation_count, LIMIT)
  t.diagnostic(`${PROCESSES} processes, ${SAMPLES} samples, ${LIMIT} submissions`)
})
