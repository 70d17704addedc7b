import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { MAX_CONCURRENT_REQUESTS } from '../server/engine/limit-requests.ts'
import { startApp } from './app.ts'
import { until } from './until.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let url: string
let greedy: string
let other: string
/** Other connections to the database. */
let holder: pg.Client
let watcher: pg.Client

before(async () => {
  corvus = await startApp()
  url = await corvus.app.listen({ host: '127.0.0.1', port: 0 })
  const permissions = ['read tickets', 'read entities', 'read extracts', 'modify entities']
  greedy = await corvus.tokenFor(permissions)
  other = await corvus.tokenFor(permissions)
  holder = new pg.Client({ connectionString: corvus.url })
  watcher = new pg.Client({ connectionString: corvus.url })
  await Promise.all([holder.connect(), watcher.connect()])
})
after(async () => {
  await Promise.all([holder.end(), watcher.end()])
  await corvus.stop()
})

/** Blocks all statements that read observables, until it is released or the test ends. */
async function holdUp(): Promise<AsyncDisposable & { letGo(): Promise<void> }> {
  await holder.query('begin; lock table observables in access exclusive mode')
  const letGo = async () => void (await holder.query('rollback'))
  return { letGo, [Symbol.asyncDispose]: letGo }
}

/** How many statements wait for the lock on observables. */
async function heldUp(): Promise<number> {
  const { rows } = await watcher.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and state = 'active' and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}

test('one caller never has all connections, and others are answered meanwhile', async () => {
  await using lock = await holdUp()
  const slow = Array.from({ length: 24 }, () => corvus.call('GET', 'observables', undefined, greedy))
  const answered: string[] = []
  for (const each of slow) void each.then(() => answered.push('slow'))
  await until(async () => (await heldUp()) >= 2, 'fewer than two statements wait')
  for (const path of ['tickets', 'entities?query=data.title:nothing', 'users/self']) {
    const { status } = await corvus.call('GET', path, undefined, other)
    assert.equal(status, 200, path)
  }
  const put = await corvus.call('POST', 'entities', { data: { type: 'report', title: 'meanwhile' } }, other)
  assert.equal(put.status, 201, JSON.stringify(put.body))
  assert.deepEqual(answered, [])
  assert.equal((await corvus.call('GET', '/health/ready', undefined, null)).status, 200)
  await lock.letGo()
  for (const { status } of await Promise.all(slow)) assert.equal(status, 200)
})

test('the server is ready while all connections of the pool are in use', async () => {
  const clients = await Promise.all(Array.from({ length: corvus.pool.options.max }, () => corvus.pool.connect()))
  try {
    const { status, body } = await corvus.call('GET', '/health/ready', undefined, null)
    assert.deepEqual({ status, body }, { status: 200, body: { status: 'ok' } })
  } finally {
    for (const client of clients) client.release()
  }
})

test('when a client disconnects, its statement is cancelled and its queued requests never start', async () => {
  await using lock = await holdUp()
  const headers = { authorization: `Bearer ${greedy}` }
  const requests = Array.from({ length: 6 }, () => get(`${url}/api/v2/observables?limit=1`, { headers, agent: false }))
  for (const request of requests) request.on('error', () => {})
  await until(async () => (await heldUp()) >= 2, 'fewer than two statements wait')
  for (const request of requests) {
    const closed = new Promise((resolve) => request.once('close', resolve))
    request.destroy()
    await closed
  }
  await until(async () => (await heldUp()) === 0, 'a statement still waits')
  assert.equal(corvus.waiting(), 0)
  await lock.letGo()
  const { status } = await corvus.call('GET', 'observables', undefined, greedy)
  assert.equal(status, 200)
})

test('a write completes after its client has disconnected', async () => {
  await using lock = await holdUp()
  const body = JSON.stringify({
    data: { type: 'report', title: 'left alone' },
    observables: [{ type: 'domain', value: 'alone.example' }],
  })
  const leaving = new AbortController()
  const sent = fetch(`${url}/api/v2/entities`, {
    method: 'POST',
    headers: { authorization: `Bearer ${greedy}`, 'content-type': 'application/json' },
    body,
    signal: leaving.signal,
  }).catch(() => undefined)
  await until(async () => (await heldUp()) === 1, 'no statement waits')
  leaving.abort()
  await sent
  await lock.letGo()
  const isThere = async () =>
    (await corvus.call('GET', 'entities?query=data.title:"left alone"')).body.total_count === 1
  await until(isThere, 'it is not there')
})

test('requests beyond the limit of one caller are refused, and requests of others are not', async () => {
  await using lock = await holdUp()
  const slow = Array.from({ length: MAX_CONCURRENT_REQUESTS + 10 }, () =>
    corvus.call('GET', 'observables', undefined, greedy),
  )
  await until(async () => (await heldUp()) >= 2, 'fewer than two statements wait')
  const refused = await corvus.call('GET', 'tickets', undefined, greedy)
  assert.equal(refused.status, 429)
  assert.equal(refused.headers['retry-after'], '2')
  assert.deepEqual(
    refused.body.map(({ status, title }: { status: number; title: string }) => ({ status, title })),
    [{ status: 429, title: 'Too Many Requests' }],
  )
  assert.equal((await corvus.call('GET', 'tickets', undefined, other)).status, 200)
  await lock.letGo()
  const statuses = (await Promise.all(slow)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, MAX_CONCURRENT_REQUESTS)
  assert.equal(statuses.filter((status) => status === 429).length, 10)
  assert.equal((await corvus.call('GET', 'tickets', undefined, greedy)).status, 200)
})

test('clients that have not signed in do not delay those at other addresses', async () => {
  await holder.query('begin; lock table settings in access exclusive mode')
  const ask = (remoteAddress: string) => corvus.app.inject({ url: '/api/v2/session/methods', remoteAddress })
  const slow = Array.from({ length: MAX_CONCURRENT_REQUESTS }, () => ask('10.1.1.1'))
  await until(async () => (await heldUp()) >= 2, 'no request waits for the table')
  assert.equal((await ask('10.1.1.1')).statusCode, 429)
  const other = ask('10.1.1.2')
  await until(async () => (await heldUp()) >= 3, 'the other address has no turn')
  await holder.query('rollback')
  for (const { statusCode } of [...(await Promise.all(slow)), await other]) assert.equal(statusCode, 200)
})
