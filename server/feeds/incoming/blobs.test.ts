import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import {
  ask,
  blobsOf,
  bundle,
  corvus,
  detailsOf,
  endOf,
  entitiesOf,
  type Item,
  indicator,
  makeFeed,
  makePushFeed,
  push,
  pushed,
  server,
} from '../../../test/set-up/incoming-feeds.ts'
import { sweepBlobs } from '../../intelligence/stored-blobs/sweep.ts'

const idOf = (url: string): string => url.split('/').at(-1) ?? ''

const download = (feed: Item, blob: Item, token = corvus.admin) =>
  corvus.app.inject({
    url: `/api/v2/incoming-feeds/${feed.id}/blobs/${blob.id}/download`,
    headers: { authorization: `Bearer ${token}` },
  })

/** Sweeps unreferenced bytes without the usual delay. */
async function sweep(): Promise<void> {
  await corvus.pool.query(`update stored_blobs set claimed_until = now() - interval '1 second'`)
  await sweepBlobs(server)
}

test('content sent to a feed becomes a blob and a run, and the same content again is the same blob', async () => {
  const feed = await makePushFeed()
  const content = bundle(indicator('Pushed once'))
  const first = await push(feed, content, { 'content-type': 'application/octet-stream' })
  assert.equal(first.status, 202)
  await endOf(first.body.data.task_run)
  const again = await push(feed, content)
  assert.deepEqual([again.status, again.body.data], [200, { blob: first.body.data.blob, task_run: null }])
  const blob = await ask('GET', first.body.data.blob)
  assert.partialDeepStrictEqual(blob, { name: 'pushed.json', size: content.length, state: 'SUCCESS' })
  assert.equal((await download(feed, blob)).body, content)
  assert.equal((await entitiesOf(feed)).length, 1)
})

test('a push is refused for another transport, an inactive feed, no content and too much content', async () => {
  assert.equal((await push(await makeFeed('/x'), 'x')).status, 409)
  assert.equal((await push(await makePushFeed({ is_active: false }), 'x')).status, 409)
  const feed = await makePushFeed()
  assert.equal((await push(feed, '')).status, 400)
  assert.equal((await push(feed, Buffer.alloc(3 * 1024 * 1024 + 1))).status, 413)
  assert.equal((await push({ id: 999_999 }, 'x')).status, 404)
  assert.deepEqual(await blobsOf(feed), [])
})

test('a body that is too long is refused while it arrives, whatever length it declares', async () => {
  const feed = await makePushFeed()
  await corvus.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = corvus.app.server.address() as AddressInfo
  const sent = httpRequest({
    port,
    method: 'POST',
    path: `/api/v2/incoming-feeds/${feed.id}/push`,
    headers: { authorization: `Bearer ${corvus.admin}`, 'content-type': 'text/plain' },
  })
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async (response) => resolve({ status: response.statusCode, body: await text(response) }))
  })
  for (let i = 0; i < 5; i++) sent.write(Buffer.alloc(1024 * 1024, 'x'))
  const { status, body } = await answered
  sent.destroy()
  assert.equal(status, 413, body)
})

test('blobs can be filtered, paged, and processed again', async () => {
  const feed = await makePushFeed()
  await pushed(feed, '{"type": "bundle", "objects": [')
  await pushed(feed, bundle(indicator('Processed again')))
  const path = `incoming-feeds/${feed.id}/blobs`
  const { body } = await corvus.call('GET', `${path}?filter[state]=FAILURE&limit=1`)
  assert.deepEqual([body.total_count, body.count], [1, 1])
  const [bad, good] = await blobsOf(feed)
  const { task_run } = await ask('POST', `${path}/${good.id}/process`)
  const run = await endOf(task_run)
  assert.partialDeepStrictEqual(run.result, { processed: 1, entities: { unchanged: 1 } })
  const all = await ask('POST', `${path}/process`)
  assert.equal(all.blobs, 1)
  await endOf(all.task_run)
  const after = await ask('GET', `${path}/${bad.id}`)
  assert.deepEqual([after.state, after.run], ['FAILURE', all.task_run])
  const other = await makePushFeed()
  assert.equal((await corvus.call('GET', `incoming-feeds/${other.id}/blobs/${good.id}`)).status, 404)
  assert.equal((await corvus.call('POST', `incoming-feeds/${other.id}/blobs/${good.id}/process`)).status, 404)
  assert.deepEqual(await ask('POST', `incoming-feeds/${other.id}/blobs/process`), { task_run: null, blobs: 0 })
})

test('the content of a purged blob is gone, and its row stays so that it is not stored again', async () => {
  const feed = await makePushFeed()
  const content = bundle(indicator('Purged content'))
  await pushed(feed, content)
  const [blob] = await blobsOf(feed)
  const path = `incoming-feeds/${feed.id}/blobs/${blob.id}`
  const { rows } = await corvus.pool.query('select file from incoming_blobs where id = $1', [blob.id])
  await ask('DELETE', path)
  const now = await ask('GET', path)
  assert.equal(now.state, 'PURGED')
  assert.ok(now.purged_at)
  assert.equal((await download(feed, blob)).statusCode, 410)
  assert.equal((await corvus.call('POST', `${path}/process`)).status, 410)
  const left = await corvus.pool.query('select from file_outcomes where owner = $1', [rows[0].file])
  assert.equal(left.rowCount, 0)
  await sweep()
  assert.equal(await server.blobs.exists(blob.sha256), false)
  assert.equal((await push(feed, content)).status, 200)
  assert.equal((await entitiesOf(feed)).length, 1)
})

test('blobs, their content and outcomes are only visible to users who see the source of the feed', async () => {
  const feed = await makePushFeed()
  await pushed(feed, bundle(indicator('For our eyes')))
  const [blob] = await blobsOf(feed)
  const stranger = await corvus.tokenFor([
    'read incoming-feeds',
    'modify incoming-feeds',
    'modify entities',
    'modify extracts',
  ])
  const { body } = await corvus.call('GET', 'users/self', undefined, stranger)
  await corvus.pool.query('delete from group_users where target = $1', [body.data.id])
  const path = `incoming-feeds/${feed.id}/blobs/${blob.id}`
  assert.equal((await corvus.call('GET', path, undefined, stranger)).status, 404)
  const listed = await corvus.call('GET', `incoming-feeds/${feed.id}/blobs`, undefined, stranger)
  assert.equal(listed.body.total_count, 0)
  assert.equal((await download(feed, blob, stranger)).statusCode, 404)
  assert.equal((await corvus.call('GET', `${path}/outcomes`, undefined, stranger)).status, 404)
  assert.equal((await corvus.call('POST', `incoming-feeds/${feed.id}/purge`, undefined, stranger)).status, 404)
  assert.equal((await corvus.call('POST', `incoming-feeds/${feed.id}/test`, undefined, stranger)).status, 404)
  assert.equal((await ask('GET', `${path}/outcomes`)).length, 1)
  const reader = await corvus.tokenFor(['read files'])
  assert.equal((await corvus.call('GET', 'files', undefined, reader)).body.total_count, 0)
  assert.equal((await corvus.call('GET', 'files')).body.total_count, 0)
})

test('a feed with intelligence cannot be deleted until it is purged, and starts over after that', async () => {
  const feed = await makePushFeed()
  const value = `${randomUUID()}.example`
  const shared = await ask('POST', 'observables', { type: 'domain', value: `shared.${value}` })
  const [mine] = await ask('PUT', 'entities', [{ data: { type: 'malware', title: 'Not from the feed' } }])
  const given = indicator('From the feed', { pattern: `[domain-name:value = '${value}']` })
  const content = JSON.stringify({
    observables: [
      { type: 'domain', value: `shared.${value}` },
      { type: 'domain', value: `own.${value}` },
    ],
  })
  await pushed(feed, bundle(given))
  await pushed(feed, content)
  const refused = await corvus.call('DELETE', `incoming-feeds/${feed.id}`)
  assert.equal(refused.status, 409)
  assert.match(detailsOf(refused)[0] ?? '', /purge the feed first/)
  const denied = await corvus.call(
    'POST',
    `incoming-feeds/${feed.id}/purge`,
    undefined,
    await corvus.tokenFor(['modify incoming-feeds']),
  )
  assert.equal(denied.status, 403)
  const run = await endOf((await ask('POST', `incoming-feeds/${feed.id}/purge`)).task_run)
  assert.equal(run.state, 'SUCCESS', run.error_detail)
  assert.deepEqual(run.result, { observables: 3, entities: 1, relationships: 0, blobs: 2 })
  assert.deepEqual(await entitiesOf(feed), [])
  assert.deepEqual((await ask('GET', `observables/${shared.id}`)).sources, shared.sources)
  for (const gone of [value, `own.${value}`]) {
    const { rowCount } = await corvus.pool.query('select from observables where value = $1', [gone])
    assert.equal(rowCount, 0, gone)
  }
  assert.equal((await ask('GET', `entities/${mine.id}`)).data.title, 'Not from the feed')
  assert.ok((await blobsOf(feed)).every(({ state }: Item) => state === 'PURGED'))
  await pushed(feed, bundle(given))
  assert.equal((await entitiesOf(feed)).length, 1)
  await endOf((await ask('POST', `incoming-feeds/${feed.id}/purge`)).task_run)
  await ask('DELETE', `incoming-feeds/${feed.id}`)
  const { rowCount } = await corvus.pool.query('select from sources where id = $1', [idOf(feed.source)])
  assert.equal(rowCount, 0)
})

test('retention purges old processed blobs', async () => {
  const feed = await makePushFeed()
  await pushed(feed, bundle(indicator('Old enough')))
  await pushed(feed, bundle(indicator('Too young')))
  const [old] = await blobsOf(feed)
  await corvus.pool.query(`update incoming_blobs set processed_at = now() - interval '91 days' where id = $1`, [old.id])
  const [task] = await ask('GET', 'tasks?filter[type]=retention')
  const { id } = await ask('POST', 'tasks/runs', { task: task.id })
  const run = await endOf(`tasks/runs/${id}`)
  assert.equal(run.result.removed['incoming-blobs'], 1)
  assert.deepEqual(
    (await blobsOf(feed)).map(({ state }: Item) => state),
    ['PURGED', 'SUCCESS'],
  )
})
