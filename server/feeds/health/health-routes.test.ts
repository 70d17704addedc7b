import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { isCounted, makeCounter } from '../../../test/set-up/counting.ts'
import { until } from '../../../test/until.ts'

const PUSH = { transport_type: 'eiq.incoming-transports.push' }
const HOURLY = { execution_schedule: { cron: null, interval: 3600, time_zone: 'UTC' } }
const CSV = 'urn:eclecticiq.com:csv-extracts:1.0'
const DOWNLOAD = { transport_type: 'eiq.outgoing-transports.http-download', content_type: CSV }

const { count, statementsOf } = makeCounter()
let corvus: Awaited<ReturnType<typeof startApp>>
/** A user who may read feeds and sees no source. */
let stranger: string
before(async () => {
  corvus = await startApp((statement) => {
    if (isCounted(statement)) count()
  })
  stranger = await corvus.tokenFor(['read incoming-feeds', 'read outgoing-feeds'])
  const { id } = (await corvus.call('GET', 'users/self', undefined, stranger)).body.data
  await corvus.pool.query('delete from group_users where target = $1', [id])
})
after(() => corvus.stop())

const run = (statement: string, values: unknown[] = []) => corvus.pool.query(statement, values)

async function make(path: string, data: object): Promise<{ id: number; source: string; update_task: string }> {
  const { status, body } = await corvus.call('POST', path, { data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const statisticsOf = async (path: string, token?: string) => {
  const { status, body } = await corvus.call('GET', `${path}/statistics?days=3`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

/** Creates an incoming feed and waits until its creator sees its source, which processes learn of a moment later. */
async function makeIncoming(data: object): Promise<number> {
  const { id } = await make('incoming-feeds', { ...PUSH, ...data })
  const isSeen = async () => (await statisticsOf(`incoming-feeds/${id}`)).content !== null
  await until(isSeen, 'the source of the feed is not seen')
  return id
}

/** Adds a run of the task of a feed that ended this many hours ago. */
const addRun = (table: string, feed: number, hours: number, state: string, result: object | null) =>
  run(
    `insert into task_runs (id, task, state, result, created_at, started_at, ended_at)
    select gen_random_uuid(), f.update_task, $2, $3, now() - make_interval(hours => $4),
      now() - make_interval(hours => $4), now() - make_interval(hours => $4) + interval '90 seconds'
    from ${table} as f where f.id = $1`,
    [feed, state, result && JSON.stringify(result), hours],
  )

/** Creates an incoming feed with content, which the default group sees up to AMBER. */
async function busyFeed(): Promise<number> {
  const id = await makeIncoming({ name: 'Busy', ...HOURLY })
  await run(`
    insert into group_sources (source, target, allowed_tlp)
    select g.id, f.source, 'AMBER' from groups as g, incoming_feeds as f where g.name = 'Default' and f.id = ${id}
    on conflict (source, target) do update set allowed_tlp = 'AMBER'`)
  const indicator = (name: string) => ({
    data: {
      type: 'indicator',
      title: name,
      id: `{https://feeds.test/}indicator-${name.padStart(8, '0')}-0f4b-4c39-9d4b-0c5a5f6b8a11`,
    },
    meta: { tlp_color: 'GREEN' },
    observables: [{ type: 'domain', value: `${name}.example` }],
  })
  for (const name of ['1', '2', '3']) await make('entities', indicator(name))
  await run(`
    update entities as e set vis = s.number * 8 + case when e.data ->> 'title' = '3' then 4 else 2 end
    from incoming_feeds as f join sources as s on s.id = f.source
    where f.id = ${id} and e.data ->> 'title' in ('1', '2', '3')`)
  const blob = (days: number, size: number, state: string, result: object | null) =>
    run(
      `insert into incoming_blobs (feed, name, sha256, size, state, result, fetched_at)
      values ($1, 'x', md5(random()::text), $2, $3, $4, now() - make_interval(days => $5))`,
      [id, size, state, result && JSON.stringify(result), days],
    )
  await blob(0, 100, 'SUCCESS', { format: 'stix-2', objects: 3, lost: 0, entities: { created: 2, updated: 1 } })
  await blob(0, 50, 'PENDING', null)
  await blob(1, 10, 'WARNING', { entities: { refused: 4 }, observables: { created: 6 } })
  await blob(5, 1000, 'PURGED', { entities: { created: 9 } })
  for (let hours = 12; hours > 0; hours--) await addRun('incoming_feeds', id, hours, 'SUCCESS', { new: hours })
  await run(
    `insert into feed_failures (incoming_feed, kind, failed_at)
    select $1, kind, now() - make_interval(days => days)
    from (values ('timeout', 0), ('timeout', 1), ('certificate', 2), ('timeout', 9)) as v(kind, days)`,
    [id],
  )
  await run(
    `update incoming_feeds set last_new_at = now() - interval '2 hours', last_success_at = now() - interval '1 hour' where id = ${id}`,
  )
  return id
}

test('the statistics of an incoming feed report what it received per day and how its runs ended', async () => {
  const id = await busyFeed()
  const { health, runs, errors, content, seconds_behind } = await statisticsOf(`incoming-feeds/${id}`)
  assert.equal(health.feed, `http://corvus.test/api/v2/incoming-feeds/${id}`)
  assert.deepEqual(
    [health.state, health.is_stale, health.stale_after_seconds, health.pending],
    ['OK', false, 86_400, 1],
  )
  assert.ok(health.seconds_since_new >= 7200 && health.seconds_since_success < 7200)
  assert.ok(health.next_run_at !== null && health.run_state === 'SUCCESS')
  assert.deepEqual(
    runs.map(({ result, seconds }: { result: { new: number }; seconds: number }) => [result.new, seconds]),
    Array.from({ length: 10 }, (_, i) => [i + 1, 90]),
  )
  assert.deepEqual(errors, { timeout: 2, certificate: 1 })
  assert.equal(seconds_behind, null)
  const { days, ...counts } = content
  // This group does not see the RED entity, nor the observable that only this entity has.
  assert.deepEqual(counts, {
    blobs: { SUCCESS: 1, PENDING: 1, WARNING: 1, PURGED: 1 },
    entities: 2,
    observables: 2,
    relationships: 0,
  })
  assert.deepEqual(
    days.map(({ blobs, bytes, objects }: Record<string, unknown>) => [blobs, bytes, objects]),
    [
      [0, 0, {}],
      [1, 10, { refused: 4, created: 6 }],
      [2, 150, { created: 2, updated: 1 }],
    ],
  )
  assert.match(days[2].date, /^\d{4}-\d\d-\d\d$/)
})

test('a feed is pending until its first run has ended', async () => {
  for (const [path, table, more] of [
    ['incoming-feeds', 'incoming_feeds', PUSH],
    ['outgoing-feeds', 'outgoing_feeds', DOWNLOAD],
  ] as const) {
    const { id } = await make(path, { name: `New ${table}`, ...more })
    const state = async () => (await statisticsOf(`${path}/${id}`)).health.state
    assert.equal(await state(), 'PENDING')
    await addRun(table, id, 1, 'SUCCESS', {})
    assert.equal(await state(), 'OK')
    await corvus.call('PATCH', `${path}/${id}`, { data: { is_active: false } })
    assert.equal(await state(), 'INACTIVE')
    // Other tests count all feeds.
    await corvus.call('DELETE', `${path}/${id}`)
  }
})

test('a caller who does not see the source of an incoming feed gets its health but not its content', async () => {
  const { id } = await make('incoming-feeds', { name: 'Hidden', ...PUSH })
  await addRun('incoming_feeds', id, 1, 'SUCCESS', { new: 5 })
  const { health, runs, content } = await statisticsOf(`incoming-feeds/${id}`, stranger)
  assert.deepEqual([health.state, content, runs.length, runs[0].result], ['OK', null, 1, null])
})

test('the statistics of an outgoing feed report its blocks and collection to callers who may read them', async () => {
  const { id } = await make('outgoing-feeds', { name: 'Out', ...DOWNLOAD, ...HOURLY })
  const block = (status: string, items: number, size: number, days: number) =>
    run(
      `insert into content_blocks (outgoing_feed, epoch, run_id, content_type, filename, size, items_count, destination,
        delivery_status, created_at)
      values ($1, 1, gen_random_uuid(), 'x', 'x', $2, $3, gen_random_uuid(), $4, now() - make_interval(days => $5))`,
      [id, size, items, status, days],
    )
  await block('DELIVERED', 7, 700, 4)
  await block('SUPERSEDED', 1, 100, 1)
  await block('PENDING', 2, 200, 0)
  await block('PENDING', 3, 300, 0)
  await run(`
    insert into collection_objects (feed, added_at, stix_id, type, spec_version, version, is_latest, hash, object)
    select ${id}, now() - make_interval(mins => n), 'x--1', 'x', '2.1', now() - make_interval(mins => n), n = 1, '', '{}'
    from generate_series(1, 2) as n`)
  const { health, content } = await statisticsOf(`outgoing-feeds/${id}`)
  assert.deepEqual([health.type, health.pending, health.last_new_at], ['outgoing', 2, null])
  const { days, last_added_at, ...counts } = content
  assert.deepEqual(counts, {
    blocks: { DELIVERED: 1, SUPERSEDED: 1, PENDING: 2 },
    items: 13,
    latest_items: 3,
    collection_objects: 1,
    collection_versions: 2,
  })
  assert.ok(last_added_at !== null)
  assert.deepEqual(
    days.map(({ blocks, items, bytes }: Record<string, number>) => [blocks, items, bytes]),
    [
      [0, 0, 0],
      [1, 1, 100],
      [2, 5, 500],
    ],
  )
  const { content: hidden } = await statisticsOf(`outgoing-feeds/${id}`, stranger)
  assert.equal(hidden, null)
})

test('the statistics report how far a feed is behind a TAXII server that reports when objects were added', async () => {
  const { id } = await make('incoming-feeds', { name: 'Polled', ...PUSH })
  await run(
    `update incoming_feeds set transport_type = 'eiq.incoming-transports.taxii2',
      cursor = jsonb_build_object('added_after', now() - interval '1 hour') where id = $1`,
    [id],
  )
  const { seconds_behind } = await statisticsOf(`incoming-feeds/${id}`)
  assert.ok(seconds_behind >= 3600 && seconds_behind < 3700, String(seconds_behind))
})

test('the number of statements does not depend on the number of blobs, runs or days', async () => {
  const id = await makeIncoming({ name: 'Large' })
  const ask = (days: number) => statementsOf(() => corvus.call('GET', `incoming-feeds/${id}/statistics?days=${days}`))
  const few = await ask(1)
  await run(
    `insert into incoming_blobs (feed, name, sha256, size)
    select $1, 'x', md5(n::text), 1 from generate_series(1, 500) as n`,
    [id],
  )
  for (let hours = 0; hours < 3; hours++) await addRun('incoming_feeds', id, hours, 'SUCCESS', null)
  assert.equal(await ask(365), few)
})

test('days must be a number from 1 to 365, and the feed must exist', async () => {
  const id = await makeIncoming({ name: 'Asked' })
  for (const days of ['0', '366', '-1', '1.5', 'x', ''])
    assert.equal((await corvus.call('GET', `incoming-feeds/${id}/statistics?days=${days}`)).status, 400, days)
  for (const path of ['incoming-feeds/999999', 'outgoing-feeds/999999', 'incoming-feeds/x'])
    assert.equal((await corvus.call('GET', `${path}/statistics`)).status, 404)
  const { body } = await corvus.call('GET', `incoming-feeds/${id}/statistics`)
  assert.equal(body.data.content.days.length, 30)
})

test('the list reports the health of all feeds that the caller may read, failing feeds first', async () => {
  const { id } = await make('outgoing-feeds', { name: 'Failing', ...DOWNLOAD })
  await run(`update outgoing_feeds set failures = 3, failing_since = now(), last_error = 'no' where id = $1`, [id])
  await run(`insert into feed_failures (outgoing_feed, kind) values ($1, 'server')`, [id])
  await make('incoming-feeds', { name: 'Off', ...PUSH, is_active: false })
  const { status, body } = await corvus.call('GET', 'feeds/health')
  assert.equal(status, 200)
  const [first] = body.data
  assert.deepEqual(
    [first.name, first.state, first.failures, first.last_error_kind],
    ['Failing', 'FAILING', 3, 'server'],
  )
  const off = body.data.find(({ name }: { name: string }) => name === 'Off')
  assert.deepEqual([off.type, off.state], ['incoming', 'INACTIVE'])
  const oneKind = await corvus.tokenFor(['read incoming-feeds'])
  const { body: mine } = await corvus.call('GET', 'feeds/health', undefined, oneKind)
  assert.deepEqual([...new Set(mine.data.map(({ type }: { type: string }) => type))], ['incoming'])
  const neither = await corvus.call('GET', 'feeds/health', undefined, await corvus.tokenFor([]))
  assert.equal(neither.status, 403)
})

test('the list includes daily volumes if days are given, for feeds whose content the caller may see', async () => {
  const id = await makeIncoming({ name: 'Told by days' })
  await run(
    `insert into incoming_blobs (feed, name, sha256, size, fetched_at)
    select $1, 'x', md5(n::text), 1, now() - make_interval(days => n % 4) from generate_series(1, 10) as n`,
    [id],
  )
  const { id: sent } = await make('outgoing-feeds', { name: 'Sent by days', ...DOWNLOAD })
  const volumeOf = async (type: string, feed: unknown, token?: string) => {
    const { status, body } = await corvus.call('GET', 'feeds/health?days=3', undefined, token)
    assert.equal(status, 200)
    return body.data.find(
      (each: { type: string; feed: string }) => each.type === type && each.feed.endsWith(`/${feed}`),
    )?.volume
  }
  assert.deepEqual(await volumeOf('incoming', id), [3, 3, 2])
  assert.deepEqual(await volumeOf('outgoing', sent), [0, 0, 0])
  assert.equal(await volumeOf('incoming', id, stranger), null)
  const { body } = await corvus.call('GET', 'feeds/health')
  assert.ok(!('volume' in body.data[0]))
  for (const days of ['0', '366', 'x'])
    assert.equal((await corvus.call('GET', `feeds/health?days=${days}`)).status, 400, days)
})

test('metrics report the health of each feed by id and the number of feeds per state', async () => {
  const id = await makeIncoming({ name: 'Measured' })
  await run(`update incoming_feeds set failures = 2, last_success_at = now() - interval '1 hour' where id = $1`, [id])
  const { body } = await corvus.call('GET', '/metrics')
  assert.match(body, new RegExp(`^corvus_feed_failures\\{kind="incoming",feed="${id}"\\} 2$`, 'm'))
  assert.match(body, new RegExp(`^corvus_feed_seconds_since_success\\{kind="incoming",feed="${id}"\\} 36\\d\\d`, 'm'))
  assert.match(body, new RegExp(`^corvus_feed_pending\\{kind="incoming",feed="${id}"\\} 0$`, 'm'))
  assert.match(body, /^corvus_feeds\{kind="incoming",state="failing"\} 1$/m)
  assert.match(body, /^corvus_feeds\{kind="incoming",state="inactive"\} 1$/m)
  await corvus.call('DELETE', `incoming-feeds/${id}`)
  assert.ok(!(await corvus.call('GET', '/metrics')).body.includes(`feed="${id}"`))
})
