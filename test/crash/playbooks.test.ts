import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Method, startApp } from '../app.ts'
import { effort } from '../effort.ts'
import { type Running, startProcess } from '../process.ts'
import { startReceiver } from '../receiver.ts'
import { until } from '../until.ts'

/** In each state of a step. */
const KILLS = effort(20, 1)

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

test('a process that is killed in any state of a step leaves no effect twice and nothing stuck', async (t) => {
  const playbook = await ask('POST', 'playbooks', {
    name: 'Crashing',
    is_active: true,
    trigger: { type: 'change', kinds: ['create'], query: 'data.title:crashing' },
    steps: [
      { id: 'tag', kind: 'tag', added: ['begun'] },
      { id: 'create', kind: 'create_entity', type: 'incident', title: 'Incident of {title}' },
      { id: 'hook', kind: 'webhook', url: `${receiver.url}/hook` },
      { id: 'after', kind: 'tag', added: ['done'] },
    ],
  })
  const known = () => query(`select object, state, position, claim is not null as is_claimed from playbook_runs`)
  const made: { id: string; title: string }[] = []
  const make = async () => {
    const title = `Crashing ${made.length}`
    const { id } = await ask('POST', 'entities', { data: { type: 'report', title } })
    made.push({ id, title })
    return id as string
  }
  const runOf = async (id: string) => (await known()).find(({ object }) => object === id)
  const finish = async (id: string) => {
    await until(
      async () => {
        await hurry()
        return (await runOf(id))?.state === 'SUCCESS'
      },
      `the run on ${id} does not end: ${JSON.stringify(await query('select * from playbook_runs where object = $1', [id]))}`,
    )
  }
  let [calls, failures] = [0, 0]

  for (let kill = 0; kill < KILLS; kill++) {
    // Before the run is claimed, or as it is.
    receiver.answers((response) => void response.end())
    const pending = await make()
    await until(async () => runOf(pending), 'no run is started')
    await sleep(randomInt(30))
    await replace()
    await finish(pending)

    // Inside the transaction of a step, which waits for a lock that the test holds.
    const client = await corvus.pool.connect()
    const locked = await make()
    await client.query('begin')
    await client.query('select from entities where id = $1 for update', [locked])
    await until(async () => {
      await hurry()
      const [waiting] = await query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
      )
      return waiting ?? (await runOf(locked))?.state === 'SUCCESS'
    }, 'no step waits for the lock')
    await replace()
    await client.query('commit')
    client.release()
    await finish(locked)

    // During a call to another server.
    const arrived = Promise.withResolvers<void>()
    const replaced = Promise.withResolvers<void>()
    receiver.answers(async (response) => {
      calls++
      arrived.resolve()
      await replaced.promise
      response.end()
    })
    const calling = await make()
    await arrived.promise
    await sleep(randomInt(30))
    await replace()
    replaced.resolve()
    await finish(calling)

    // While it waits before the next attempt.
    let hasFailed = false
    receiver.answers((response) => {
      if (!hasFailed) failures++
      response.statusCode = hasFailed ? 200 : 503
      hasFailed = true
      response.end()
    })
    const waiting = await make()
    await until(async () => {
      const run = await runOf(waiting)
      return run?.state === 'WAITING' || run?.state === 'SUCCESS'
    }, 'the run does not wait')
    await replace()
    await finish(waiting)
  }

  const ids = made.map(({ id }) => id)
  const incidents = await query(
    `select data ->> 'title' as title, count(*)::integer as count from entities where type = 'incident' group by 1 order by 1`,
  )
  assert.deepEqual(
    incidents,
    made.map(({ title }) => ({ title: `Incident of ${title}`, count: 1 })).sort((a, b) => (a.title < b.title ? -1 : 1)),
  )
  const changes = await query(
    `select count(*)::integer as count from changes, unnest(ids) as i(id)
     where resource = 'entities' and kind = 'update' and cause_kind = 'playbook' and i.id = any($1::text[]) group by i.id`,
    [ids],
  )
  // Each tag was added once; relating an entity to another may be one more change, the same for all.
  assert.equal(changes.length, made.length)
  assert.equal(new Set(changes.map(({ count }) => count)).size, 1, JSON.stringify(changes))
  const keys = receiver.calls.map(({ headers }) => String(headers['idempotency-key']))
  assert.equal(new Set(keys).size, made.length, 'each run has its own key')
  // At most the call in flight is repeated for each kill, and a refused one is made again.
  assert.ok(keys.length <= made.length + 4 * KILLS + failures, `${keys.length} calls for ${made.length} runs`)
  const [left] = await query(`
    select (select count(*)::integer from playbook_runs where ended_at is null) as runs,
      (select count(*)::integer from playbook_run_steps where state in ('WAITING', 'CALLING')) as steps`)
  assert.deepEqual(left, { runs: 0, steps: 0 })
  const shown = await ask('GET', `playbooks/${playbook.id}`)
  assert.deepEqual(shown.run_counts, { SUCCESS: made.length })
  t.diagnostic(`${4 * KILLS} kills, ${made.length} runs, ${keys.length} calls, ${calls} of them held during a kill`)
})
