import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Method, startApp } from '../app.ts'
import { effort, isTurnOf } from '../effort.ts'
import { type Running, startProcess } from '../process.ts'
import { startReceiver } from '../receiver.ts'
import { until } from '../until.ts'

/** In each state of a step. A usual run takes half of the states, others from day to day. */
const ROUNDS = effort(20, 1)

/** The application that the test calls, on the database of the process that it kills. */
let corvus: Awaited<ReturnType<typeof startApp>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let running: Running

const start = async () => {
  running = await startProcess(corvus.config.dataFolder, {
    DATABASE_URL: corvus.url,
    CORVUS_LOG_LEVEL: 'silent',
    CORVUS_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
}

const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
  const ended = once(running.child, 'exit')
  running.child.kill(signal)
  await ended
}

before(async () => {
  corvus = await startApp()
  receiver = await startReceiver()
  await start()
})
after(async () => {
  await end('SIGTERM')
  await receiver.stop()
  await corvus.stop()
})

const ask = async (method: Method, path: string, data?: unknown) => {
  const { status, body } = await corvus.call(method, path, data === undefined ? undefined : { data })
  assert.ok(status < 300, `${status} ${path} ${JSON.stringify(body)}`)
  return body.data
}

const query = async (text: string, values: unknown[] = []) => (await corvus.pool.query(text, values)).rows

/** A killed process holds its runs until their lease ends, and failed attempts pause: both take too long for a test. */
const hurry = () =>
  query(`update playbook_runs set due_at = least(due_at, now()), claimed_until = least(claimed_until, now())
    where ended_at is null and (claim is null or claimed_until < now() + interval '55 seconds')`)

/** Kills the process in the middle of what it does, and starts another one. */
const replace = async () => {
  await end('SIGKILL')
  await start()
  await query(`update playbook_runs set claimed_until = now() where claim is not null`)
}

const made: { readonly id: string; readonly title: string }[] = []
const failures: string[] = []

/** Creates an entity that starts a run. */
async function make(): Promise<string> {
  const title = `Crashing ${made.length}`
  const { id } = await ask('POST', 'entities', { data: { type: 'report', title } })
  made.push({ id, title })
  return id
}

const runOf = async (id: string): Promise<{ state: string } | undefined> =>
  (await query('select state from playbook_runs where object = $1', [id]))[0]

const finish = (id: string) =>
  until(async () => {
    await hurry()
    return (await runOf(id))?.state === 'SUCCESS'
  }, `the run on ${id} does not end`)

const ok = () => receiver.answers((response) => void response.end())

/** Kills the process in each state of a step, and waits until the run ends. */
const STATES: readonly (() => Promise<void>)[] = [
  async function beforeItIsClaimed() {
    ok()
    const id = await make()
    await until(() => runOf(id), 'no run is started')
    await sleep(randomInt(30))
    await replace()
    await finish(id)
  },
  async function inItsTransaction() {
    ok()
    const client = await corvus.pool.connect()
    const id = await make()
    await client.query('begin')
    await client.query('select from entities where id = $1 for update', [id])
    await until(async () => {
      await hurry()
      const [waiting] = await query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
      )
      return waiting ?? (await runOf(id))?.state === 'SUCCESS'
    }, 'no step waits for the lock')
    await replace()
    await client.query('commit')
    client.release()
    await finish(id)
  },
  async function duringItsCall() {
    const arrived = Promise.withResolvers<void>()
    const replaced = Promise.withResolvers<void>()
    receiver.answers(async (response) => {
      arrived.resolve()
      await replaced.promise
      response.end()
    })
    const id = await make()
    await arrived.promise
    await sleep(randomInt(30))
    await replace()
    replaced.resolve()
    await finish(id)
  },
  async function whileItWaits() {
    const id = await make()
    receiver.answers((response) => {
      const isFirst = !failures.includes(id)
      if (isFirst) failures.push(id)
      response.statusCode = isFirst ? 503 : 200
      response.end()
    })
    await until(async () => ['WAITING', 'SUCCESS'].includes((await runOf(id))?.state ?? ''), 'the run does not wait')
    await replace()
    await finish(id)
  },
]

test('a process that is killed in any state of a step leaves no effect twice and nothing stuck', async (t) => {
  const playbook = await ask('POST', 'playbooks', {
    name: 'Crashing',
    is_active: true,
    trigger: { type: 'change', kinds: ['create'], query: 'data.type:report AND data.title:crashing' },
    steps: [
      { id: 'tag', kind: 'tag', added: ['begun'] },
      { id: 'create', kind: 'create_entity', type: 'incident', title: 'Incident of {title}' },
      { id: 'hook', kind: 'webhook', url: `${receiver.url}/hook` },
      { id: 'after', kind: 'tag', added: ['done'] },
    ],
  })
  const states = STATES.filter((_, i) => isTurnOf(i, 2))
  for (let round = 0; round < ROUNDS; round++) for (const kill of states) await kill()

  const incidents = await query(
    `select data ->> 'title' as title, count(*)::integer as count from entities where type = 'incident' group by 1`,
  )
  const expected = made.map(({ title }) => ({ title: `Incident of ${title}`, count: 1 }))
  const sorted = (rows: readonly { title: string }[]) => rows.toSorted((a, b) => (a.title < b.title ? -1 : 1))
  assert.deepEqual(sorted(incidents), sorted(expected))
  const changes = await query(
    `select count(*)::integer as count from changes, unnest(ids) as i(id)
     where resource = 'entities' and kind = 'update' and cause_kind = 'playbook' and i.id = any($1::text[]) group by i.id`,
    [made.map(({ id }) => id)],
  )
  assert.equal(changes.length, made.length)
  assert.equal(new Set(changes.map(({ count }) => count)).size, 1, JSON.stringify(changes))
  const keys = receiver.calls.map(({ headers }) => String(headers['idempotency-key']))
  assert.equal(new Set(keys).size, made.length, 'each run has its own key')
  // At most the call in flight is repeated for each kill, and a refused one is made again.
  assert.ok(keys.length <= 2 * made.length + failures.length, `${keys.length} calls for ${made.length} runs`)
  const [left] = await query(`
    select (select count(*)::integer from playbook_runs where ended_at is null) as runs,
      (select count(*)::integer from playbook_run_steps where state in ('WAITING', 'CALLING')) as steps`)
  assert.deepEqual(left, { runs: 0, steps: 0 })
  const shown = await ask('GET', `playbooks/${playbook.id}`)
  assert.deepEqual(shown.run_counts, { SUCCESS: made.length })
  t.diagnostic(`${made.length} kills and runs, ${keys.length} calls`)
})
