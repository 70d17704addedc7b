import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BASE } from '../../../../test/app.ts'
import {
  ask,
  blobsOf,
  bundle,
  corvus,
  entitiesOf,
  type Item,
  indicator,
  makeFeed,
  makePushFeed,
  push,
  pushed,
  relationship,
  requests,
  runOf,
  served,
} from '../../../../test/set-up/incoming-feeds.ts'

const titlesOf = (entities: Item[]) => entities.map(({ data }) => (data as Item).title).sort()

test('a run fetches, stores and processes content, and reports the outcome', async () => {
  const [one, two] = [indicator('One of a run'), indicator('Two of a run')]
  served.set('/run', { content: bundle(one, two, relationship(one.id, two.id)) })
  const feed = await makeFeed('/run', {
    tags: ['fed'],
    half_life: 7,
    source_reliability: 'B',
    tlp_color_override: 'GREEN',
  })
  const run = await runOf(feed)
  assert.equal(run.state, 'SUCCESS', run.error_detail)
  assert.partialDeepStrictEqual(run.result, {
    fetched: 1,
    new: 1,
    known: 0,
    processed: 1,
    failed: 0,
    entities: { created: 2 },
    relationships: { created: 1 },
  })
  const [first] = await entitiesOf(feed)
  assert.partialDeepStrictEqual(first, {
    incoming_feed: `${BASE}/api/v2/incoming-feeds/${feed.id}`,
    sources: [feed.source],
    created_by: null,
    meta: { tags: ['fed'], half_life: 7, source_reliability: 'B', tlp_color: 'GREEN' },
  })
  const [blob] = await blobsOf(feed)
  assert.partialDeepStrictEqual(blob, { state: 'SUCCESS', format: 'stix-2', reason: null })
  const now = await ask('GET', `incoming-feeds/${feed.id}`)
  assert.deepEqual([now.status, now.n_blobs_pending, now.failures], ['SUCCESS', 0, 0])
  for (const name of ['last_triggered_at', 'last_success_at', 'last_new_at']) assert.ok(now[name], name)
})

test('polling unchanged content stores nothing new, whether the server reports that or sends it again', async () => {
  served.set('/twice', { content: bundle(indicator('Seen twice')) })
  const feed = await makeFeed('/twice')
  await runOf(feed)
  const counts = async () => {
    const { rows } = await corvus.pool.query(
      `select (select count(*) from incoming_blobs) as blobs, (select count(*) from files) as files,
        (select count(*) from stored_blobs) as stored, (select count(*) from entities) as entities,
        (select count(*) from changes where resource = 'entities') as changes`,
    )
    return rows[0]
  }
  const before = await counts()
  const again = await runOf(feed)
  assert.partialDeepStrictEqual(again.result, { fetched: 0, new: 0, processed: 0 })
  assert.equal(again.state, 'SUCCESS')
  assert.ok(again.log.includes('Nothing new was fetched.'))
  assert.ok(requests.some(({ path, headers }) => path === '/twice' && headers['if-none-match']))
  await corvus.pool.query('update incoming_feeds set "cursor" = null where id = $1', [feed.id])
  const whole = await runOf(feed)
  assert.partialDeepStrictEqual(whole.result, { fetched: 1, new: 0, known: 1, processed: 0 })
  assert.deepEqual(await counts(), before)
})

test('objects of another source stay unchanged, and relationships to them are created', async () => {
  const known = indicator('Known before')
  const [mine] = await ask('PUT', 'entities', [
    {
      data: { type: 'indicator', title: 'As people wrote it', id: known.id },
      meta: { tlp_color: 'RED', tags: ['people'] },
    },
  ])
  const other = indicator('Brought by the feed')
  const link = relationship(other.id, known.id)
  const feed = await makePushFeed()
  const run = await pushed(feed, bundle({ ...known, name: 'As the feed has it' }, other, link))
  assert.deepEqual(run.result.entities, { created: 1, unchanged: 1 })
  assert.deepEqual(run.result.relationships, { created: 1 })
  const now = await ask('GET', `entities/${mine.id}`)
  assert.deepEqual([now.data.title, now.meta.tags, now.sources], ['As people wrote it', ['people'], mine.sources])
  assert.equal(now.incoming_feed, null)
  const [blob] = await blobsOf(feed)
  const outcomes = await ask('GET', `incoming-feeds/${feed.id}/blobs/${blob.id}/outcomes?filter[outcome]=unchanged`)
  assert.deepEqual(outcomes[0].notes, ['It belongs to another source and was not changed.'])

  const second = await makePushFeed()
  const copy = { ...link, description: 'Told by another feed', modified: '2025-01-01T00:00:00.000Z' }
  const next = await pushed(second, bundle(copy))
  assert.deepEqual(next.result.relationships, { unchanged: 1 })
})

test('a later version of imported content is an update that keeps values from the settings of the feed', async () => {
  const given = indicator('First title')
  const feed = await makePushFeed({ half_life: 5 })
  await pushed(feed, bundle(given))
  const [made] = await entitiesOf(feed)
  await ask('PATCH', `entities/${made?.id}`, { meta: { half_life: 99 } })
  const later = { ...given, name: 'Second title', modified: '2025-01-01T00:00:00.000Z' }
  await pushed(feed, bundle(later))
  const now = await ask('GET', `entities/${made?.id}`)
  assert.deepEqual([now.data.title, now.meta.half_life], ['Second title', 99])
})

test('observables without an entity get the source of the feed in addition to their others', async () => {
  const value = `${randomUUID()}.example`
  const known = await ask('POST', 'observables', { type: 'domain', value })
  const feed = await makePushFeed()
  const observables = [value, `new.${value}`].map((each) => ({ type: 'domain', value: each }))
  const run = await pushed(feed, JSON.stringify({ observables }))
  assert.deepEqual(run.result.observables, { created: 1, updated: 1 })
  const now = await ask('GET', `observables/${known.id}`)
  assert.deepEqual(new Set(now.sources), new Set([...known.sources, feed.source]))
  const [fresh] = await ask('GET', `observables?filter[value]=new.${value}`)
  assert.deepEqual(fresh.sources, [feed.source])
})

test('a bad blob fails with its reason, a bad object is lost, and all others are imported', async () => {
  const feed = await makePushFeed()
  const bad = await pushed(feed, '{"type": "bundle", "objects": [')
  const odd = { type: 'indicator', id: 'indicator--no-uuid', spec_version: '2.1' }
  const good = await pushed(feed, bundle(odd, indicator('Among bad ones')))
  assert.deepEqual([bad.state, good.state], ['WARNING', 'WARNING'])
  const states = (await blobsOf(feed)).map(({ state }: Item) => state)
  assert.deepEqual(states, ['FAILURE', 'WARNING'])
  const [first] = await blobsOf(feed)
  assert.ok(first.reason)
  assert.deepEqual(titlesOf(await entitiesOf(feed)), ['Among bad ones'])
})

test('a feed that cannot fetch reports why, backs off, and recovers after a successful run', async () => {
  const feed = await makeFeed('/away', { execution_schedule: { interval: 10 }, is_active: true })
  const run = await runOf(feed)
  assert.equal(run.state, 'FAILURE')
  assert.match(run.error_detail, /not-found/)
  const failing = await ask('GET', `incoming-feeds/${feed.id}`)
  assert.deepEqual([failing.failures, failing.last_error_kind], [1, 'not-found'])
  assert.ok(failing.failing_since && failing.last_error)
  assert.ok(Date.parse(failing.next_run_at) > Date.now() + 60_000)
  served.set('/away', { content: '', status: 503, headers: { 'retry-after': '7200' } })
  await runOf(feed)
  const waiting = await ask('GET', `incoming-feeds/${feed.id}`)
  assert.deepEqual([waiting.failures, waiting.failing_since], [2, failing.failing_since])
  assert.ok(Date.parse(waiting.next_run_at) > Date.now() + 7_000_000)
  served.set('/away', { content: bundle(indicator('Back again')) })
  assert.equal((await runOf(feed)).state, 'SUCCESS')
  const well = await ask('GET', `incoming-feeds/${feed.id}`)
  assert.deepEqual([well.failures, well.failing_since, well.last_error, well.last_error_kind], [0, null, null, null])
})

test('content that is larger than files may be is skipped and reported', async () => {
  served.set('/large', { content: Buffer.alloc(3 * 1024 * 1024 + 1, 'x') })
  const feed = await makeFeed('/large')
  assert.equal((await runOf(feed)).state, 'FAILURE')
  assert.equal((await ask('GET', `incoming-feeds/${feed.id}`)).last_error_kind, 'too-large')
  assert.deepEqual(await blobsOf(feed), [])
})

test('content that is pushed while a run ends is still processed', async () => {
  const feed = await makePushFeed()
  for (let round = 0; round < 10; round++) {
    await push(feed, bundle(indicator(`Round ${round} a`)))
    await sleep(round * 15)
    await push(feed, bundle(indicator(`Round ${round} b`)))
  }
  const { update_task: task } = await ask('GET', `incoming-feeds/${feed.id}`)
  for (;;) {
    // Before the waiting blobs, not after: a run that ends in between has processed them.
    const { body } = await corvus.call(
      'GET',
      `tasks/runs?filter[task]=${task.split('/').at(-1)}&filter[ended_at]=null&data=false`,
    )
    const { n_blobs_pending: pending } = await ask('GET', `incoming-feeds/${feed.id}`)
    if (pending === 0) break
    assert.ok(body.total_count > 0, 'something waits, but will not be processed')
    await sleep(20)
  }
  assert.equal((await entitiesOf(feed)).length, 20)
})
