import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { BASE } from '../../../test/app.ts'
import { bareServer } from '../../../test/background.ts'
import { blobs, CSV, corvus, download, makeFeed, ok, person, writeBlock } from '../../../test/set-up/outgoing-feeds.ts'
import { sweepBlobs } from '../../intelligence/stored-blobs/sweep.ts'
import { subjects } from '../../retention/subjects.ts'
import { purgeBlocks } from './purge-blocks.ts'

await ok('POST', 'groups', { name: 'Desk' })
const readers = await ok('POST', 'groups', { name: 'Readers' })
const owner = await person(['Default', 'Desk'])
const equal = await person(['Default', 'Desk'])
const lesser = await person(['Default'])
const reader = await person(['Readers'])
const nobody = await person([])

test('a block describes its content, and its parts can be downloaded whole, by range, or conditionally', async () => {
  const feed = await makeFeed()
  const run = randomUUID()
  const id = await writeBlock(feed.id, 'value,type\r\na,b\r\n', { run, signature: 'SIGNED', losses: '{"id":"x"}\n' })
  const block = await ok('GET', `content-blocks/${id}`)
  const { created_at: _, meta, ...rest } = block
  assert.deepEqual(rest, {
    id,
    content_type: CSV,
    filename: 'block.csv',
    size: 17,
    items_count: 1,
    delivery_status: 'READY',
    delivery_error: null,
    delivered_at: null,
    attempts: 0,
    run_id: run,
    outgoing_feed: `${BASE}/api/v2/outgoing-feeds/${feed.id}`,
    losses_count: 1,
    download_url: `${BASE}/api/v2/content-blocks/${id}/download`,
    signature_url: `${BASE}/api/v2/content-blocks/${id}/signature`,
    losses_url: `${BASE}/api/v2/content-blocks/${id}/losses`,
    purged_at: null,
  })
  assert.match(meta.destination, /^[0-9a-f-]{36}$/)
  assert.deepEqual([meta.original_content_type, meta.signed_with_key_id], [CSV, 'ABCD'])
  const whole = await download(block.download_url.slice(BASE.length))
  assert.equal(whole.text, 'value,type\r\na,b\r\n')
  assert.equal(whole.headers['content-type'], 'text/csv; charset=utf-8; header=present')
  assert.match(String(whole.headers['content-disposition']), /^attachment;.*block\.csv/)
  const path = `content-blocks/${id}/download`
  const part = await download(path, corvus.admin, { range: 'bytes=0-4' })
  assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, 'value', 'bytes 0-4/17'])
  assert.equal((await download(path, corvus.admin, { 'if-none-match': String(whole.headers.etag) })).status, 304)
  assert.equal((await download(path, corvus.admin, { range: 'bytes=99-' })).status, 416)
  assert.equal((await download(`content-blocks/${id}/signature`)).text, 'SIGNED')
  assert.equal((await download(`content-blocks/${id}/losses`)).text, '{"id":"x"}\n')
  const { body } = await corvus.call('GET', `content-blocks?filter[run_id]=${run}&filter[delivery_status]=READY`)
  assert.deepEqual(
    body.data.map((each: { id: number }) => each.id),
    [id],
  )
  assert.equal((await corvus.call('GET', `content-blocks?filter[outgoing_feed]=${feed.id}`)).body.total_count, 1)
  const without = await person(['Default', 'Desk'], ['read outgoing-feeds'])
  assert.equal((await download(path, without)).status, 403)
})

/** Whether a caller sees a block: in the list, by id, by its feed, and its bytes. All of these must agree. */
async function sees(token: string, feed: number, id: number, run: string): Promise<boolean> {
  const total = async (query: string) =>
    (await corvus.call('GET', `content-blocks?${query}`, undefined, token)).body.total_count
  const way = `/private/outgoing-feed-download/${feed}`
  const answers = [
    (await total(`filter[outgoing_feed]=${feed}`)) === 1,
    (await total(`filter[id]=${id}`)) === 1,
    (await total(`filter[run_id]=${run}`)) === 1,
    ...(await Promise.all(
      [
        `content-blocks/${id}`,
        `content-blocks/${id}/download`,
        `content-blocks/${id}/losses`,
        way,
        `${way}/runs/latest`,
        `${way}/runs/${run}`,
        `${way}/runs/${run}/content-blocks/${id}`,
      ].map(async (path) => {
        const { status } = await download(path, token)
        assert.ok(status === 200 || status === 404, `${path}: ${status}`)
        return status === 200
      }),
    )),
  ]
  assert.equal(new Set(answers).size, 1, JSON.stringify(answers))
  return answers[0] === true
}

test('without groups, blocks are visible to the owner and to users who may see everything that can be in them', async () => {
  const feed = await makeFeed({}, owner)
  const run = randomUUID()
  const id = await writeBlock(feed.id, 'x', { run, token: owner })
  const seen = await Promise.all([owner, equal, lesser, reader, nobody].map((token) => sees(token, feed.id, id, run)))
  assert.deepEqual(seen, [true, true, false, false, false])
})

test('the same applies to users who see a large number of sources', async () => {
  const names = Array.from({ length: 15 }, (_, i) => `Many ${i}`)
  await ok(
    'PUT',
    'groups',
    names.map((name) => ({ name })),
  )
  const [wide, same, less] = [await person(names), await person([...names, 'Desk']), await person(names.slice(1))]
  const feed = await makeFeed({}, wide)
  const run = randomUUID()
  const id = await writeBlock(feed.id, 'x', { run, token: wide })
  const seen = await Promise.all([wide, same, less].map((token) => sees(token, feed.id, id, run)))
  assert.deepEqual(seen, [true, true, false])
})

test('with groups, blocks are visible only to the owner and the members of these groups', async () => {
  const feed = await makeFeed({ authorised_groups: [readers.id] }, owner)
  const run = randomUUID()
  const id = await writeBlock(feed.id, 'x', { run, token: owner })
  const seen = await Promise.all([owner, equal, lesser, reader, nobody].map((token) => sees(token, feed.id, id, run)))
  assert.deepEqual(seen, [true, false, false, true, false])
  const { status } = await corvus.call('DELETE', `content-blocks/${id}`, undefined, equal)
  assert.equal(status, 404)
})

test('a feed that is limited to less content can be read by more users', async () => {
  const [group] = await ok('GET', 'groups?filter[name]=Default')
  const feed = await makeFeed({ whitelist_sources: [group.source] }, owner)
  const run = randomUUID()
  const id = await writeBlock(feed.id, 'x', { run, token: owner })
  const seen = await Promise.all([owner, equal, lesser, reader].map((token) => sees(token, feed.id, id, run)))
  assert.deepEqual(seen, [true, true, true, false])
})

test('a purged block keeps its row, answers 410 everywhere, and its bytes are swept', async () => {
  const feed = await makeFeed()
  const run = randomUUID()
  const id = await writeBlock(feed.id, 'to be purged', { run, signature: 'S', losses: 'lost' })
  const { rows } = await corvus.pool.query('select sha256, losses from content_blocks where id = $1', [id])
  for (const _ of ['once', 'twice']) assert.equal((await corvus.call('DELETE', `content-blocks/${id}`)).status, 204)
  const block = await ok('GET', `content-blocks/${id}`)
  assert.ok(block.purged_at)
  assert.deepEqual([block.size, block.download_url, block.signature_url, block.losses_url], [12, null, null, null])
  for (const part of ['download', 'signature', 'losses']) {
    assert.equal((await download(`content-blocks/${id}/${part}`)).status, 410, part)
  }
  const way = `/private/outgoing-feed-download/${feed.id}`
  assert.equal((await download(`${way}/runs/${run}/content-blocks/${id}`)).status, 410)
  assert.deepEqual((await corvus.call('GET', way)).body, { data: { content_blocks: [] } })
  await corvus.pool.query(`update stored_blobs set claimed_until = now() - interval '1 second'`)
  const kept = await writeBlock(feed.id, 'kept')
  await corvus.pool.query(`update stored_blobs set claimed_until = now() - interval '1 second'`)
  await sweepBlobs({ ...bareServer(corvus), blobs })
  assert.deepEqual([await blobs.exists(rows[0].sha256), await blobs.exists(rows[0].losses)], [false, false])
  assert.equal((await download(`content-blocks/${kept}/download`)).text, 'kept')
})

test('old blocks are purged, except the newest of a feed and those that wait to be delivered', async () => {
  const age = (id: number, days: number) =>
    corvus.pool.query('update content_blocks set created_at = now() - make_interval(days => $2) where id = $1', [
      id,
      days,
    ])
  const aged = async (feed: number, days: number, delivery_status: 'PENDING' | 'READY' = 'READY') => {
    const id = await writeBlock(feed, `${days}`, { delivery_status })
    await age(id, days)
    return id
  }
  const usual = await makeFeed()
  const long = await makeFeed({ keep_days: 100 })
  const short = await makeFeed({ keep_days: 2 })
  const purged = [await aged(usual.id, 40), await aged(short.id, 3), await aged(long.id, 101)]
  const pending = await aged(usual.id, 50, 'PENDING')
  const kept = [await aged(usual.id, 20), await aged(short.id, 1), await aged(long.id, 90), await aged(usual.id, 60)]
  const gone = async () => {
    const { rows } = await corvus.pool.query(
      'select id from content_blocks where purged_at is not null and outgoing_feed = any($1) order by id',
      [[usual.id, long.id, short.id]],
    )
    return rows.map(({ id }) => id)
  }
  const { isOld, purge } = subjects['content-blocks']
  assert.equal(purge, purgeBlocks)
  await purgeBlocks(corvus.db, sql`t.outgoing_feed >= ${usual.id} and ${isOld(30)}`)
  assert.deepEqual(
    await gone(),
    purged.toSorted((a, b) => a - b),
  )
  assert.ok(![pending, ...kept].some((id) => purged.includes(id)))
  const { body } = await corvus.call('GET', 'retention-policies?filter[what]=content-blocks')
  assert.deepEqual((await ok('GET', `retention-policies/${body.data[0].id}/preview`)).count, 0)
})
