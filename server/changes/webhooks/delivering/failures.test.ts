import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWebhooks } from '../../../../test/receiver.ts'
import { until } from '../../../../test/until.ts'
import type { Worker } from '../../../background/worker.ts'
import { RETRY_PAUSES_SECONDS } from './deliver.ts'

let corvus: Awaited<ReturnType<typeof startWebhooks>>
let process: Worker
before(async () => {
  corvus = await startWebhooks()
  process = corvus.startProcess()
})
after(async () => {
  await process.stop()
  await corvus.stop()
})

const ANSWERS: Record<string, (path: string) => number> = {}

/** Sets the response of the receiver at a path. */
function answers(path: string, status: number | (() => number)): void {
  ANSWERS[path] = typeof status === 'number' ? () => status : status
  corvus.receiver.answers((response, call) => {
    const code = ANSWERS[call.path]?.(call.path) ?? 200
    if (code === 0) return
    response
      .writeHead(code, code === 302 ? { location: `${corvus.receiver.url}/elsewhere` } : {})
      .end('not for the log')
  })
}

const row = async (id: number) =>
  (
    await corvus.pool.query(
      `select w.*, f.*, extract(epoch from f.next_attempt_at - now())::float8 as pause
      from webhooks as w join followers as f on f.name = 'webhooks' and f.owner = w.id where w.id = $1`,
      [id],
    )
  ).rows[0]

test('a failed delivery is retried with the same id and events, before later ones', async () => {
  answers('/retried', 500)
  const { id } = await corvus.webhook('retried', { collections: ['tickets'] })
  const first = await corvus.make('tickets', { name: 'First' })
  await until(async () => (await corvus.read(id)).failing_since, 'no failure')
  const later = await corvus.make('tickets', { name: 'Later' })
  const [waiting] = await corvus.deliveries(id)
  assert.partialDeepStrictEqual(waiting, {
    state: 'WAITING',
    attempts: 1,
    status: 500,
    reason: 'The receiver responded with 500.',
    events: 1,
  })
  const { pause } = await row(id)
  assert.ok(pause > 0 && pause <= (RETRY_PAUSES_SECONDS[0] ?? 0))
  answers('/retried', 503)
  await corvus.hurry(id)
  await until(async () => (await corvus.deliveries(id))[0].attempts === 2, 'no second attempt')
  assert.equal((await corvus.read(id)).last_status, 503)
  answers('/retried', 204)
  await corvus.hurry(id)
  await until(() => corvus.receiver.eventsAt('/retried').length === 2, 'not delivered')
  const calls = corvus.receiver.callsTo('/retried')
  assert.deepEqual(
    calls.map(({ body }) => body.events.map(({ object }) => Number(object.split('/').at(-1)))),
    [[first.id], [first.id], [first.id], [later.id]],
  )
  assert.equal(new Set(calls.slice(0, 3).map(({ body }) => body.delivery)).size, 1)
  assert.equal(new Set(calls.slice(0, 3).map(({ body }) => body.events[0]?.id)).size, 1)
  const log = await until(async () => {
    const all = await corvus.deliveries(id)
    return all.every(({ state }: { state: string }) => state === 'DELIVERED') ? all : undefined
  }, 'not noted')
  assert.partialDeepStrictEqual(log[0], { attempts: 3, status: 204, reason: null, id: calls[0]?.body.delivery })
  assert.partialDeepStrictEqual(await corvus.read(id), { failing_since: null, last_status: 204, suspended_at: null })
})

test('pauses grow for about a day, then the webhook is suspended until it is corrected, and nothing is lost', async () => {
  const day = RETRY_PAUSES_SECONDS.reduce((sum, pause) => sum + pause, 0)
  assert.ok(day > 82_800 && day < 90_000)
  assert.deepEqual(
    RETRY_PAUSES_SECONDS,
    RETRY_PAUSES_SECONDS.toSorted((a, b) => a - b),
  )
  answers('/suspended', 404)
  const { id } = await corvus.webhook('suspended', { collections: ['tickets'] })
  const ticket = await corvus.make('tickets', { name: 'Refused' })
  await until(async () => (await row(id)).failures === 1, 'no failure')
  await corvus.pool.query(
    `update followers set failures = $2, next_attempt_at = now() where name = 'webhooks' and owner = $1`,
    [id, RETRY_PAUSES_SECONDS.length - 1],
  )
  await until(async () => (await row(id)).failures === RETRY_PAUSES_SECONDS.length, 'no attempt before the last')
  assert.equal((await corvus.read(id)).suspended_at, null)
  assert.ok((await row(id)).pause > 28_000)
  await corvus.hurry(id)
  const suspended = await until(async () => {
    const read = await corvus.read(id)
    return read.suspended_at ? read : undefined
  }, 'not suspended')
  assert.equal(suspended.suspended_reason, 'The receiver responded with 404.')
  assert.equal(suspended.is_active, true)
  const calls = corvus.receiver.callsTo('/suspended').length
  await corvus.hurry(id)
  await corvus.make('tickets', { name: 'Meanwhile' })
  await sleep(1500)
  assert.equal(corvus.receiver.callsTo('/suspended').length, calls, 'nothing is tried')
  answers('/suspended', 200)
  const { body } = await corvus.call('PATCH', `webhooks/${id}`, { is_active: true })
  assert.partialDeepStrictEqual(body.data, { suspended_at: null, suspended_reason: null, failing_since: null })
  await until(() => corvus.receiver.callsTo('/suspended').length >= calls + 2, 'not delivered')
  const told = corvus.receiver
    .callsTo('/suspended')
    .slice(calls)
    .flatMap(({ body }) => body.events)
  assert.equal(told.length, 2)
  assert.ok(told[0]?.object.endsWith(`/${ticket.id}`))
})

test('a receiver that responds with 410 is not called again', async () => {
  answers('/gone', 410)
  const { id } = await corvus.webhook('gone', { collections: ['tickets'] })
  await corvus.make('tickets', { name: 'To nobody' })
  const read = await until(async () => {
    const found = await corvus.read(id)
    return found.is_active ? undefined : found
  }, 'not deactivated')
  assert.match(read.suspended_reason, /410/)
  assert.equal(read.last_status, 410)
  assert.equal(corvus.receiver.callsTo('/gone').length, 1)
})

test('a redirect is a failure, and is not followed', async () => {
  answers('/moved', 302)
  const { id } = await corvus.webhook('moved', { collections: ['tickets'] })
  await corvus.make('tickets', { name: 'Not elsewhere' })
  await until(async () => (await corvus.read(id)).failing_since, 'no failure')
  assert.match((await corvus.deliveries(id))[0].reason, /302\. Redirects are not followed/)
  assert.equal(corvus.receiver.callsTo('/elsewhere').length, 0)
})

test('private addresses are refused with the reason', async () => {
  const { id } = await corvus.make('webhooks', { name: 'private', url: 'http://10.0.0.1/', collections: ['tickets'] })
  await corvus.make('tickets', { name: 'Not inside' })
  await until(async () => (await corvus.read(id)).failing_since, 'no failure')
  const [delivery] = await corvus.deliveries(id)
  assert.match(delivery.reason, /^The receiver could not be reached: 10\.0\.0\.1 .*CORVUS_ALLOWED_NETWORKS/)
  assert.equal(delivery.status, null)
})

test('a receiver that does not respond delays only itself', async () => {
  answers('/silent', 0)
  const { id } = await corvus.webhook('silent', { collections: ['tickets'] })
  await corvus.make('tickets', { name: 'Into silence' })
  await until(() => corvus.receiver.callsTo('/silent').length > 0, 'no call')
  await corvus.webhook('lively', { collections: ['tickets'] })
  await corvus.make('tickets', { name: 'Into life' })
  await until(() => corvus.receiver.eventsAt('/lively').length > 0, 'others wait')
  assert.equal((await corvus.read(id)).failing_since, null, 'it is still waited for')
  await until(async () => (await corvus.read(id)).failing_since, 'waited for without end')
  assert.match((await corvus.deliveries(id))[0].reason, /no response within 10 seconds/)
})

test('objects that the owner no longer sees are not sent on a retry', async () => {
  answers('/blind', 500)
  const { id } = await corvus.webhook('blind', { collections: ['tickets'] })
  const ticket = await corvus.make('tickets', { name: 'Seen once' })
  await until(async () => (await corvus.read(id)).failing_since, 'no failure')
  await corvus.pool.query('delete from tickets where id = $1', [ticket.id])
  answers('/blind', 200)
  await corvus.hurry(id)
  await until(async () => (await corvus.deliveries(id))[0].state === 'SKIPPED', 'still waiting')
  assert.equal(corvus.receiver.callsTo('/blind').length, 1)
})

test('history that was purged before its delivery is reported as missing', async () => {
  answers('/forgotten', 500)
  const { id } = await corvus.webhook('forgotten', { collections: ['tickets'] })
  await corvus.make('tickets', { name: 'Forgotten' })
  await until(async () => (await corvus.read(id)).failing_since, 'no failure')
  await corvus.make('tickets', { name: 'Remembered' })
  await corvus.pool.query(
    `delete from changes where id <= (select last_change from webhook_deliveries where owner = $1)`,
    [id],
  )
  answers('/forgotten', 200)
  await corvus.hurry(id)
  await until(() => corvus.receiver.callsTo('/forgotten').length > 1, 'not delivered')
  assert.equal(corvus.receiver.callsTo('/forgotten').at(-1)?.body.has_gap, true)
  const ticket = await corvus.make('tickets', { name: 'Then' })
  await until(
    () => corvus.receiver.eventsAt('/forgotten').some(({ object }) => object.endsWith(`/${ticket.id}`)),
    'not told',
  )
  assert.equal(corvus.receiver.callsTo('/forgotten').at(-1)?.body.has_gap, false)
})

test('the log of deliveries is bounded', async () => {
  const { id } = await corvus.webhook('bounded', { collections: ['tickets'] })
  await corvus.pool.query(
    `insert into webhook_deliveries (id, owner, state, first_change, first_item, last_change, last_item, events, created_at)
    select gen_random_uuid(), $1, 'DELIVERED', 0, 0, 0, 0, 1, now() - make_interval(mins => n)
    from generate_series(1, 1200) as n`,
    [id],
  )
  await corvus.pool.query(
    `update webhook_deliveries set created_at = now() - interval '31 days' where id in (
      select id from webhook_deliveries where owner = $1 order by created_at desc limit 10)`,
    [id],
  )
  await corvus.make('tickets', { name: 'One more' })
  await until(async () => (await corvus.read(id)).last_delivery_at, 'not delivered')
  const { rows } = await corvus.pool.query(
    `select count(*) as count, min(created_at) > now() - interval '30 days' as is_recent from webhook_deliveries where owner = $1`,
    [id],
  )
  assert.ok(rows[0].count <= 1000 && rows[0].count > 900, String(rows[0].count))
  assert.equal(rows[0].is_recent, true)
})
