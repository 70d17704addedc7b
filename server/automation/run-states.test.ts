import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isTurnOf } from '../../test/effort.ts'
import { type Enrichers, finds, startEnrichers, status } from '../../test/set-up/enrichers.ts'
import { until } from '../../test/until.ts'

// PENDING is not among the states of a stored run: a run is SENT with the transaction that creates it.

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
})
after(() => corvus.stop())

const stateOf = async (run: string): Promise<string> => (await corvus.readRun(run)).state

const reaches = (run: string, state: string) =>
  until(async () => (await stateOf(run)) === state, `the run ${run} does not become ${state}`)

/** Makes writes to a table fail as if the disk were full, while a function runs. */
async function withoutDisk(table: string, work: () => Promise<void>): Promise<void> {
  await corvus.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'full' using errcode = '53100'; end $$;
    create trigger refuse before insert or delete on ${table} execute function refuse()`)
  try {
    await work()
  } finally {
    await corvus.pool.query('drop function refuse() cascade')
  }
}

const hurryRetries = () => corvus.pool.query(`update jobs.job set start_after = now() where state = 'retry'`)

interface Scene {
  readonly enricher: { readonly id: number; readonly name: string; readonly task: string }
  readonly tag: string
  readonly observables: readonly number[]
}

/** An enricher that has a queue of its own, and an entity with two observables, whose results of before have expired. */
async function sceneOf(tag: string): Promise<Scene> {
  const enricher = await corvus.enricher({ name: tag })
  const values = ['one', 'two'].map((name) => ({
    type: 'domain',
    value: `${name}.${tag}.example`,
  }))
  await corvus.ask('POST', 'entities', {
    data: { type: 'report', title: tag },
    meta: { tags: [tag] },
    observables: values,
  })
  const observables = (await corvus.ask('PUT', 'observables', values)).map(({ id }: { id: number }) => id)
  const process = await corvus.startProcess()
  await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables }))
  await process.stop()
  await corvus.pool.query('update enrichments set expires_at = now() where enricher = $1', [enricher.id])
  return { enricher, tag, observables }
}

const idOf = (url: string): string => url.split('/').at(-1) ?? ''

/** The ways to start look-ups, each with a run of its own. */
const STARTS: Readonly<Record<string, (scene: Scene) => Promise<string>>> = {
  'a batch run': ({ enricher, observables }) => corvus.run({ enrichers: [enricher.id], observables }),
  'a run by query': async ({ enricher, tag }) =>
    idOf(
      (
        await corvus.ask('POST', 'entities/by-query/enrich', {
          enrichers: [enricher.id],
          entities_query: `tags:${tag}`,
        })
      ).task_run,
    ),
  'a run of the task of an enricher': async ({ enricher }) =>
    String((await corvus.ask('POST', 'tasks/runs', { task: enricher.task })).id),
}

const pause = ({ enricher }: Scene, isPaused: boolean) =>
  corvus.pool.query(
    `update enrichers set waits_until = case when $2 then now() + interval '10 minutes' end where id = $1`,
    [enricher.id, isPaused],
  )

const replyOf = (scene: Scene, replies: Parameters<Enrichers['source']['answers']>[1][]) => {
  let turn = 0
  corvus.source.answers(`/${scene.enricher.name}`, (response, call) =>
    replies[turn++ % replies.length]?.(response, call),
  )
}

const page = (response: Parameters<Parameters<Enrichers['source']['answers']>[1]>[0]) =>
  void response.writeHead(200).end('<html>Sign in</html>')

/** How a run reaches each state, and what is left of it. */
const WAYS: Readonly<Record<string, (scene: Scene, start: () => Promise<string>) => Promise<void>>> = {
  'SENT, STARTED and SUCCESS': async (scene, start) => {
    replyOf(scene, [finds({ kind: 'verdict', maliciousness: 'low' })])
    await pause(scene, true)
    const run = await start()
    assert.equal(await stateOf(run), 'SENT')
    const process = await corvus.startProcess()
    await until(async () => (await corvus.readRun(run)).log.length > 0, 'the queue is not filled')
    assert.equal(await stateOf(run), 'STARTED')
    await pause(scene, false)
    await reaches(run, 'SUCCESS')
    await process.stop()
    assert.partialDeepStrictEqual((await corvus.readRun(run)).result, { found: 2 })
  },
  'RETRY, and SUCCESS in the next attempt': async (_scene, start) => {
    const run = await start()
    let process: Awaited<ReturnType<Enrichers['startProcess']>> | undefined
    await withoutDisk('enrichment_requests', async () => {
      process = await corvus.startProcess()
      await reaches(run, 'RETRY')
    })
    await hurryRetries()
    await reaches(run, 'SUCCESS')
    await process?.stop()
    assert.partialDeepStrictEqual(await corvus.readRun(run), { attempt: 2, result: { look_ups: 2, empty: 2 } })
  },
  REVOKED: async (scene, start) => {
    await pause(scene, true)
    const run = await start()
    const process = await corvus.startProcess()
    await until(async () => (await corvus.readRun(run)).log.length > 0, 'the queue is not filled')
    assert.equal((await corvus.call('DELETE', `tasks/runs/${run}`)).status, 204)
    await until(async () => {
      const { rows } = await corvus.pool.query('select from enrichment_requests where enricher = $1', [
        scene.enricher.id,
      ])
      return rows.length === 0
    }, 'the look-ups stay in the queue')
    await process.stop()
    assert.equal(await stateOf(run), 'REVOKED')
  },
  FAILURE: async (scene, start) => {
    replyOf(scene, [page])
    await endsAs(await start(), 'FAILURE', { failed: 2 }, /not JSON/)
  },
  WARNING: async (scene, start) => {
    replyOf(scene, [page, status(404)])
    await endsAs(await start(), 'WARNING', { failed: 1, empty: 1 }, /not JSON/)
  },
  CAP_REACHED: async (scene, start) => {
    // The first two calls were those of the look-ups that have expired.
    await corvus.ask('PATCH', `enrichers/${scene.enricher.id}`, { execution_cap: 3 })
    await corvus.pool.query(
      `update enricher_budgets set starts = array[$2::bigint], used = '{2}' where enricher = $1`,
      [scene.enricher.id, Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth())],
    )
    await endsAs(await start(), 'CAP_REACHED', { empty: 1, not_done: 1 }, /A limit of the enricher is reached/)
  },
}

async function endsAs(run: string, state: string, result: object, reason: RegExp): Promise<void> {
  const process = await corvus.startProcess()
  const ended = await corvus.ended(run)
  await process.stop()
  assert.partialDeepStrictEqual(ended, { state, result })
  assert.match(ended.result.summary, reason)
}

// Every run tries each state with one of the three ways to start.
for (const [i, [what, start]] of Object.entries(STARTS).entries()) {
  for (const [j, [states, way]] of Object.entries(WAYS).entries()) {
    test(`${what} reaches ${states}`, { skip: !isTurnOf(i + j) && 'it is not its turn' }, async () => {
      const scene = await sceneOf(`scene${i}${j}`)
      await way(scene, () => start(scene))
    })
  }
}

// A rescan compares all entities or fails: it has nothing to warn of, and no limit.
test('a rescan of a discovery rule reaches SENT, STARTED, RETRY, SUCCESS, REVOKED and FAILURE', async () => {
  await corvus.ask('POST', 'entities', { data: { type: 'report', title: 'rescanned' } })
  const runOf = async (name: string, more: object = {}) => {
    const made = await corvus.ask('POST', 'discovery-rules', {
      name,
      is_active: true,
      keywords: ['rescanned'],
      ...more,
    })
    const [run] = await corvus.ask('GET', `tasks/runs?filter[task]=${idOf(made.task)}`)
    return { rule: made.id, run: String(run.id) }
  }
  const { rule, run } = await runOf('First')
  assert.equal(await stateOf(run), 'SENT')
  let process: Awaited<ReturnType<Enrichers['startProcess']>> | undefined
  await withoutDisk('discovered_entities', async () => {
    process = await corvus.startProcess()
    await reaches(run, 'RETRY')
  })
  const client = await corvus.pool.connect()
  const inProgress = async (work: () => Promise<unknown>) => {
    await client.query('begin')
    await client.query('lock table discovered_entities in exclusive mode')
    try {
      await work()
    } finally {
      await client.query('rollback')
    }
  }
  try {
    await inProgress(async () => {
      await hurryRetries()
      await reaches(run, 'STARTED')
    })
    await reaches(run, 'SUCCESS')
    assert.equal((await corvus.ask('GET', `discovery-rules/${rule}`)).status, 'SUCCESS')
    await inProgress(async () => {
      const second = await runOf('Second')
      await reaches(second.run, 'STARTED')
      assert.equal((await corvus.call('DELETE', `tasks/runs/${second.run}`)).status, 204)
      assert.equal(await stateOf(second.run), 'REVOKED')
    })
  } finally {
    client.release()
  }
  await process?.stop()
  const third = await runOf('Third')
  await corvus.pool.query('update discovery_rules set owner = null where id = $1', [third.rule])
  process = await corvus.startProcess()
  await reaches(third.run, 'FAILURE')
  await process.stop()
})
