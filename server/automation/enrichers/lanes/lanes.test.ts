import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isCounted } from '../../../../test/set-up/counting.ts'
import { type Enrichers, finds, startEnrichers, status } from '../../../../test/set-up/enrichers.ts'
import { until } from '../../../../test/until.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import { readRules } from '../requests/candidates.ts'
import { enqueue } from '../requests/enqueue.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

const many = async (prefix: string, count: number): Promise<number[]> => {
  const items = Array.from({ length: count }, (_, i) => ({ type: 'domain', value: `${prefix}-${i}.example` }))
  return (await corvus.ask('PUT', 'observables', items)).map(({ id }: { id: number }) => id)
}

const read = (id: number) => corvus.ask('GET', `enrichers/${id}`)

test('two who ask share one look-up, and each run says what it found', async () => {
  const enricher = await corvus.enricher({ name: 'shared' })
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  corvus.source.answers('/shared', async (response) => {
    await gate
    response.writeHead(404).end()
  })
  const observables = await many('shared', 1)
  const body = { enrichers: [enricher.id], observables }
  const runs = [await corvus.run(body), await corvus.run(body)]
  const waits = async () => (await corvus.readRun(runs[1] ?? '')).log.length > 0
  await until(async () => corvus.source.callsTo('/shared').length === 1 && (await waits()), 'not asked')
  open()
  for (const run of runs) assert.partialDeepStrictEqual((await corvus.ended(run)).result, { empty: 1 })
  assert.equal(corvus.source.callsTo('/shared').length, 1)
})

test('a refusal suspends the enricher, and its runs end; resuming it continues', async () => {
  const enricher = await corvus.enricher({ name: 'refused' })
  corvus.source.answers('/refused', status(401))
  const body = { enrichers: [enricher.id], observables: await many('refused', 5) }
  const run = await corvus.ended(await corvus.run(body))
  assert.equal(run.state, 'FAILURE')
  assert.match(run.error_detail, /suspended/)
  const suspended = await read(enricher.id)
  assert.partialDeepStrictEqual(suspended, {
    state: 'SUSPENDED',
    state_reason: 'The service responded with 401. Check the API key.',
  })
  assert.ok(suspended.suspended_at)
  assert.ok(corvus.source.callsTo('/refused').length <= 2, 'as many as run at once')
  await until(async () => {
    const { rows } = await corvus.pool.query('select is_suspension_told from enrichers where id = $1', [enricher.id])
    return rows[0].is_suspension_told
  }, 'no user is notified')
  corvus.source.answers('/refused', status(404))
  assert.partialDeepStrictEqual(await corvus.ask('POST', `enrichers/${enricher.id}/resume`), {
    state: 'ACTIVE',
    suspended_at: null,
  })
  assert.partialDeepStrictEqual((await corvus.ended(await corvus.run(body))).result, { empty: 5 })
})

test('Retry-After is honoured: nothing is called before', async () => {
  const enricher = await corvus.enricher({ name: 'limited', concurrency: 1 })
  corvus.source.answers('/limited', status(429, { 'retry-after': '600' }))
  const run = await corvus.run({ enrichers: [enricher.id], observables: await many('limited', 3) })
  const waiting = await until(async () => {
    const found = await read(enricher.id)
    return found.state === 'WAITING' ? found : undefined
  }, 'it does not wait')
  assert.ok(Date.parse(waiting.resumes_at) > Date.now() + 500_000)
  assert.equal(corvus.source.callsTo('/limited').length, 1)
  corvus.source.answers('/limited', status(404))
  await corvus.pool.query('update enrichers set waits_until = now() where id = $1', [enricher.id])
  assert.partialDeepStrictEqual((await corvus.ended(run)).result, { empty: 3 })
  assert.equal(corvus.source.callsTo('/limited').length, 4)
})

test('repeated faults open the circuit; one probe at a time closes it again', async () => {
  const enricher = await corvus.enricher({ name: 'failing', concurrency: 2 })
  corvus.source.answers('/failing', status(503))
  const run = await corvus.run({ enrichers: [enricher.id], observables: await many('failing', 6) })
  const open = await until(async () => {
    const found = await read(enricher.id)
    return found.state === 'UNREACHABLE' ? found : undefined
  }, 'the circuit stays closed')
  assert.match(open.state_reason, /503/)
  assert.ok(Date.parse(open.resumes_at) > Date.now() + 30_000)
  const before = corvus.source.callsTo('/failing').length
  assert.ok(before <= 4)
  corvus.source.answers('/failing', status(404))
  // A call that was in progress may open it again.
  const hurry = async () => {
    await corvus.pool.query('update enrichers set open_until = now() where id = $1 and open_until > now()', [
      enricher.id,
    ])
    await corvus.pool.query('update enrichment_requests set due_at = now() where enricher = $1 and due_at > now()', [
      enricher.id,
    ])
  }
  await until(async () => {
    await hurry()
    return (await corvus.readRun(run)).ended_at
  }, 'it stays open')
  assert.partialDeepStrictEqual((await corvus.ended(run)).result, { empty: 6 })
  assert.equal((await read(enricher.id)).state, 'ACTIVE')
})

test('a run does not wait for a service that stays away', async () => {
  const enricher = await corvus.enricher({ name: 'away' })
  const run = await corvus.run({ enrichers: [enricher.id], observables: await many('away', 2) })
  await corvus.pool.query(
    `update enrichers set faults = 6, open_until = now() + interval '1 hour', last_fault = 'x' where id = $1`,
    [enricher.id],
  )
  const ended = await corvus.ended(run)
  assert.ok(['FAILURE', 'SUCCESS'].includes(ended.state), ended.state)
})

test('at the cap a run ends, says what it did not do, and no call exceeds it', async () => {
  const enricher = await corvus.enricher({ name: 'capped', execution_cap: 3, concurrency: 5 })
  const observables = await many('capped', 10)
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables }))
  assert.equal(run.state, 'CAP_REACHED')
  assert.partialDeepStrictEqual(run.result, { look_ups: 10, empty: 3, not_done: 7 })
  assert.match(run.result.summary, /Of 10 look-ups, 3 found nothing, 7 were not done\. capped: A limit/)
  assert.equal(corvus.source.callsTo('/capped').length, 3)
  const { rows } = await corvus.pool.query('select from enrichment_requests where enricher = $1', [enricher.id])
  assert.equal(rows.length, 0)
  const [left] = (await read(enricher.id)).quota
  assert.partialDeepStrictEqual(left, { seconds: null, used: 3, left: 0 })
})

test('a short limit only slows a run down', async () => {
  const enricher = await corvus.enricher({ name: 'paced', rate_limit: 5, concurrency: 10 })
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: await many('paced', 12) }))
  assert.partialDeepStrictEqual(run, { state: 'SUCCESS', result: { empty: 12 } })
})

test('stopping a run withdraws what no other user asked for', async () => {
  const enricher = await corvus.enricher({ name: 'stopped' })
  await corvus.pool.query(`update enrichers set waits_until = now() + interval '10 minutes' where id = $1`, [
    enricher.id,
  ])
  const [first = 0, second = 0] = await many('stopped', 2)
  const both = await corvus.run({ enrichers: [enricher.id], observables: [first, second] })
  const one = await corvus.run({ enrichers: [enricher.id], observables: [second] })
  const queued = async () =>
    (await corvus.pool.query('select observable from enrichment_requests where enricher = $1', [enricher.id])).rows
  await until(async () => (await queued()).length === 2 && (await corvus.readRun(one)).log.length > 0, 'not queued')
  assert.equal((await corvus.call('DELETE', `tasks/runs/${both}`)).status, 204)
  await until(async () => (await queued()).length === 1, 'not withdrawn')
  assert.deepEqual(await queued(), [{ observable: second }])
  assert.equal((await corvus.readRun(both)).state, 'REVOKED')
  assert.equal((await corvus.call('DELETE', `tasks/runs/${one}`)).status, 204)
  await until(async () => (await queued()).length === 0, 'not withdrawn')
  assert.equal(await corvus.enrichmentOf(enricher.id, second), undefined)
})

test('answers of 100 MB, half an answer and none are failures of that look-up', async () => {
  const enricher = await corvus.enricher({ name: 'hostile' })
  const piece = Buffer.alloc(1024 * 1024, 'x')
  corvus.source.answers('/hostile', (response) => {
    response.writeHead(200)
    let left = 100
    const write = () => {
      while (left-- > 0 && response.write(piece));
      if (left < 0) response.end()
    }
    response.on('drain', write)
    response.on('error', () => {})
    write()
  })
  const [large = 0] = await many('hostile', 1)
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [large] }))
  assert.equal(run.state, 'FAILURE')
  assert.match(run.error_detail, /larger than/)
  assert.equal((await read(enricher.id)).state, 'ACTIVE')
})

test('an enricher that is slow delays neither another one nor other runs', async () => {
  const slow = await corvus.enricher({ name: 'slow', concurrency: 20 })
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  corvus.source.answers('/slow', async (response) => {
    await gate
    response.writeHead(404).end()
  })
  const observables = await many('slow', 60)
  const runs = [await corvus.run({ enrichers: [slow.id], observables })]
  for (let i = 0; i < 8; i++) runs.push(await corvus.run({ enrichers: [slow.id], observables }))
  await until(() => corvus.source.callsTo('/slow').length === 20, 'not as many as may run at once')
  const quick = await corvus.enricher({ name: 'quick' })
  const run = await corvus.ended(await corvus.run({ enrichers: [quick.id], observables }))
  assert.partialDeepStrictEqual(run.result, { empty: 60 })
  open()
  for (const each of runs) assert.equal((await corvus.ended(each)).state, 'SUCCESS')
  assert.equal(corvus.source.callsTo('/slow').length, 60)
})

test('the task of an enricher looks up what has expired', async () => {
  const enricher = await corvus.enricher({ name: 'expiring' })
  const observables = await many('expiring', 2)
  await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables }))
  await corvus.pool.query(`update enrichments set expires_at = now() where enricher = $1 and observable = $2`, [
    enricher.id,
    observables[0],
  ])
  corvus.source.answers('/expiring', finds({ kind: 'verdict', maliciousness: 'low' }))
  const made = await corvus.ask('POST', 'tasks/runs', { task: enricher.task })
  const run = await corvus.ended(made.id)
  assert.partialDeepStrictEqual(run.result, { look_ups: 1, found: 1 })
  assert.ok((await read(enricher.id)).last_run.endsWith(run.id))
})

test('the statements of a forecast, and of adding to the queue, do not depend on the number of observables', async () => {
  const counted: string[] = []
  const watched = await startEnrichers({ onStatement: (statement) => counted.push(statement) })
  try {
    const enricher = await watched.enricher({ name: 'constant' })
    const [rules] = await readRules(watched.server, [enricher.id])
    const { id: user } = await watched.ask('GET', 'users/self')
    const caller = await asUser(watched.server, user)
    assert.ok(rules && caller)
    const measure = async (count: number) => {
      const items = Array.from({ length: count }, (_, i) => ({ type: 'domain', value: `c${count}-${i}.example` }))
      const observables = (await watched.ask('PUT', 'observables', items)).map(({ id }: { id: number }) => id)
      counted.length = 0
      await watched.ask('POST', 'enrichers/forecast', { enrichers: [enricher.id], observables })
      const added = await watched.db
        .transaction()
        .execute((db) => enqueue({ ...watched.server, db, caller, baseUrl: '' }, { enrichers: [rules], observables }))
      assert.equal(added.look_ups, count)
      return counted.filter(isCounted).length
    }
    // The first one reads the exclusion lists, which are remembered.
    await measure(1)
    assert.equal(await measure(2), await measure(400))
  } finally {
    await watched.stop()
  }
})
