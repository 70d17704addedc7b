import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { type Enrichers, startEnrichers } from '../../../../test/set-up/enrichers.ts'
import { until } from '../../../../test/until.ts'
import { makeId } from '../../../engine/ids.ts'
import { asUser } from '../../../identity/access/as-user.ts'
import { readRules } from '../requests/candidates.ts'
import { enqueue } from '../requests/enqueue.ts'
import { reserveCall } from '../reserve.ts'
import { type Claimed, claimLookUps } from './claim.ts'
import { waitForLimit } from './faults.ts'
import { lookUp } from './look-up.ts'

const statements: string[] = []
let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers({ onStatement: (statement) => statements.push(statement) })
})
after(() => corvus.stop())
beforeEach(() => {
  statements.length = 0
})

const perform = (claimed: Claimed) =>
  lookUp({ server: corvus.server, log: pino({ level: 'silent' }), signal: new AbortController().signal }, claimed)

/** Look-ups of an enricher that the administrator asked for, claimed. */
async function claimed(enricher: number, values: readonly string[]): Promise<Claimed[]> {
  const caller = await asUser(corvus.server, (await corvus.ask('GET', 'users/self')).id)
  assert.ok(caller)
  const observables = []
  for (const value of values) observables.push((await corvus.observable(value)).id)
  const enrichers = await readRules(corvus.server, [enricher])
  await enqueue({ ...corvus.server, caller, baseUrl: '' }, { enrichers, observables })
  return claimLookUps(corvus.db, makeId(), 10)
}

test('a maximum colour that is lowered while a look-up waits for its limit holds for that look-up', async () => {
  const enricher = await corvus.enricher({ name: 'lowered', rate_limit: 1, max_tlp: 'RED' })
  const [first, second] = await claimed(enricher.id, ['one.lowered.example', 'two.lowered.example'])
  assert.ok(first && second)
  await corvus.pool.query('update observable_records set vis = vis / 8 * 8 + 3')
  await perform(first)
  statements.length = 0
  const waiting = perform(second)
  await until(async () => statements.some((each) => /from enricher_budgets/.test(each)), 'it does not reserve a call')
  await corvus.pool.query(`update enrichers set max_tlp = 'GREEN' where id = $1`, [enricher.id])
  await waiting
  assert.equal(corvus.source.callsTo('/lowered').length, 1)
})

test('a look-up that is refused to some is not refused to others who wait for it', async () => {
  const enricher = await corvus.enricher({ name: 'crowded' })
  const { id } = await corvus.observable('crowded.example')
  // More than are considered for one look-up.
  await corvus.pool.query(
    `with gone as (
      insert into users (username, is_active) select 'gone ' || i, false from generate_series(1, 21) as i returning id
    ), asked as (
      insert into enrichment_requests (enricher, observable) values ($1, $2)
    )
    insert into enrichment_requesters (enricher, observable, "user") select $1, $2, id from gone`,
    [enricher.id, id],
  )
  const process = await corvus.startProcess()
  const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
  await process.stop()
  assert.partialDeepStrictEqual(run, { state: 'SUCCESS', result: { look_ups: 1, empty: 1 } })
})

test('a result says who asked for it, and in which run', async () => {
  const person = await corvus.personIn('Askers', 'all', [])
  const enricher = await corvus.enricher({ name: 'asked' })
  const { id } = await corvus.observable('asked.example')
  await corvus.ask('POST', 'observables', { type: 'domain', value: 'asked.example' }, person.token)
  const process = await corvus.startProcess()
  await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
  const run = await corvus.run({ enrichers: [enricher.id], observables: [id], force: true }, person.token)
  await corvus.ended(run)
  await process.stop()
  const { requested_by, run: latest } = await corvus.enrichmentOf(enricher.id, id)
  assert.ok(requested_by.endsWith(`/users/${person.id}`), requested_by)
  assert.ok(latest.endsWith(run), latest)
})

test('the run of a deleted user ends', async () => {
  const person = await corvus.personIn('Leavers', 'all', [])
  const enricher = await corvus.enricher({ name: 'left' })
  await corvus.pool.query(`update enrichers set waits_until = now() + interval '10 minutes' where id = $1`, [
    enricher.id,
  ])
  const { id } = await corvus.observable('left.example', {}, person.token)
  const process = await corvus.startProcess()
  const run = await corvus.run({ enrichers: [enricher.id], observables: [id] }, person.token)
  await until(async () => (await corvus.readRun(run)).log.length > 0, 'not queued')
  await corvus.ask('DELETE', `users/${person.id}`)
  const ended = await corvus.ended(run)
  await process.stop()
  assert.partialDeepStrictEqual(ended, { state: 'FAILURE', result: { not_done: 1 } })
  assert.match(ended.error_detail, /The user who asked was deleted/)
})

test('a call can be reserved while the enricher is saved', async () => {
  const enricher = await corvus.enricher({ name: 'saved', execution_cap: 5 })
  const saving = await corvus.pool.connect()
  try {
    await saving.query('begin')
    await saving.query('select from enrichers where id = $1 for update', [enricher.id])
    const reserved = reserveCall(corvus.db, enricher.id)
    await until(async () => {
      const { rows } = await corvus.pool.query('select from pg_locks where not granted')
      return rows.length > 0
    }, 'nothing waits')
    await saving.query('update enricher_budgets set calls = 6 where enricher = $1', [enricher.id])
    await saving.query('commit')
    assert.deepEqual(await reserved, { isReserved: true })
  } finally {
    saving.release()
  }
})

test('a limit that was raised in the meantime is not waited for', async () => {
  const enricher = await corvus.enricher({ name: 'raised', execution_cap: 1 })
  await reserveCall(corvus.db, enricher.id)
  const reservation = await reserveCall(corvus.db, enricher.id)
  assert.ok(!reservation.isReserved)
  await corvus.ask('PATCH', `enrichers/${enricher.id}`, { execution_cap: 2 })
  await waitForLimit(corvus.db, enricher.id, reservation.full, 'full')
  assert.equal((await corvus.ask('GET', `enrichers/${enricher.id}`)).state, 'ACTIVE')
})

test('a limit of no calls never allows one, also if calls were made before', async () => {
  const enricher = await corvus.enricher({ name: 'none', execution_cap: 1 })
  await reserveCall(corvus.db, enricher.id)
  await corvus.ask('PATCH', `enrichers/${enricher.id}`, { execution_cap: 0 })
  const reservation = await reserveCall(corvus.db, enricher.id)
  assert.ok(!reservation.isReserved)
  assert.equal(reservation.full.until, null)
})

/** Answers once this number of calls has arrived. */
function together(path: string, count: number, code: number): void {
  const arrived = Promise.withResolvers<void>()
  corvus.source.answers(path, async (response) => {
    if (corvus.source.callsTo(path).length >= count) arrived.resolve()
    await arrived.promise
    response.writeHead(code).end('{}')
  })
}

test('calls that fail at the same time open the circuit once', async () => {
  const enricher = await corvus.enricher({ name: 'outage', concurrency: 10 })
  const values = Array.from({ length: 10 }, (_, i) => `${i}.outage.example`)
  together('/outage', 10, 503)
  await Promise.all((await claimed(enricher.id, values)).map(perform))
  const { rows } = await corvus.pool.query(
    `select faults, open_until < now() + interval '70 seconds' as is_short from enrichers where id = $1`,
    [enricher.id],
  )
  assert.deepEqual(rows, [{ faults: 3, is_short: true }])
})

test('a service that answers again closes the circuit, even if its answer is unreadable', async () => {
  const enricher = await corvus.enricher({ name: 'page' })
  const [look] = await claimed(enricher.id, ['page.example'])
  assert.ok(look)
  corvus.source.answers('/page', (response) => void response.writeHead(200).end('<html>Hello</html>'))
  await corvus.pool.query('update enrichers set faults = 4, open_until = now() where id = $1', [enricher.id])
  await perform(look)
  assert.equal((await corvus.ask('GET', `enrichers/${enricher.id}`)).state, 'ACTIVE')
})

test('a refusal of the key of before does not suspend an enricher that has a new one', async () => {
  const enricher = await corvus.enricher({ name: 'rekeyed' })
  const [look] = await claimed(enricher.id, ['rekeyed.example'])
  assert.ok(look)
  const asked = Promise.withResolvers<void>()
  const saved = Promise.withResolvers<void>()
  corvus.source.answers('/rekeyed', async (response) => {
    asked.resolve()
    await saved.promise
    response.writeHead(401).end()
  })
  const performed = perform(look)
  await asked.promise
  await corvus.ask('PATCH', `enrichers/${enricher.id}`, {
    parameters: { url: `${corvus.source.url}/rekeyed`, api_key: 'a-new-key' },
  })
  saved.resolve()
  await performed
  assert.equal((await corvus.ask('GET', `enrichers/${enricher.id}`)).state, 'ACTIVE')
})

test('slow enrichers that occupy all places of a process do not delay another one', async () => {
  const open = Promise.withResolvers<void>()
  let ended = 0
  const values = Array.from({ length: 25 }, (_, i) => ({ type: 'domain', value: `${i}.crawl.example` }))
  const observables = (await corvus.ask('PUT', 'observables', values)).map(({ id }: { id: number }) => id)
  const process = await corvus.startProcess()
  const runs = []
  for (const name of ['crawl_one', 'crawl_two']) {
    const { id } = await corvus.enricher({ name, concurrency: 20 })
    corvus.source.answers(`/${name}`, async (response) => {
      response.on('close', () => ended++)
      await open.promise
      response.writeHead(404).end()
    })
    runs.push(await corvus.run({ enrichers: [id], observables }))
  }
  const asked = () => corvus.source.callsTo('/crawl_one').length + corvus.source.callsTo('/crawl_two').length
  await until(() => asked() === 40, 'not all places are occupied')
  const quick = await corvus.enricher({ name: 'sprint' })
  const run = await corvus.ended(await corvus.run({ enrichers: [quick.id], observables: observables.slice(0, 5) }))
  assert.partialDeepStrictEqual(run.result, { empty: 5 })
  assert.equal(ended, 0, 'it waited for a place')
  open.resolve()
  for (const each of runs) await corvus.ended(each)
  await process.stop()
})
