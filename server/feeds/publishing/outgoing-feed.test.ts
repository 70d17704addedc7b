import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createMessage, readKey, readSignature, verify } from 'openpgp'
import { BASE } from '../../../test/app.ts'
import { blocksOf, corvus, type Item, jobOf, make, put, server } from '../../../test/publishing/set-up.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { outgoingFeed } from './outgoing-feed.ts'
import { packageFeed } from './package-feed.ts'

const EXTRACTS = 'urn:eclecticiq.com:csv-extracts:1.0'
let entities: { id: string }[]
let dataset: number
before(async () => {
  entities = await put('entities', [
    { data: { type: 'report', title: 'wren' }, observables: [{ type: 'ipv4', value: '192.0.2.1' }] },
    { data: { type: 'report', title: 'robin' }, observables: [{ type: 'domain', value: 'a.example' }] },
  ])
  const own = entities.map(({ id }) => id)
  dataset = (await make('datasets', { name: 'Birds', workspaces: [1], entities: own })).id
})

let count = 0
const makeFeed = async (more: Item = {}): Promise<number> =>
  (
    await make('outgoing-feeds', {
      name: `Feed ${++count}`,
      content_type: EXTRACTS,
      update_strategy: 'DIFF',
      transport_type: 'eiq.outgoing-transports.http-download',
      transport_configuration: {},
      datasets: [dataset],
      ...more,
    })
  ).id

const rename = async (title: string) => {
  const { status } = await corvus.call('PATCH', `entities/${entities[0]?.id}`, { data: { data: { title } } })
  assert.equal(status, 200)
}

const stateOf = async (feed: number) => {
  const { rows } = await corvus.pool.query(
    `select f.packaging_status, f.failures, f.failing_since is not null as is_failing, f.last_error,
      f.last_success_at is not null as has_success, f.packaging_last_run_at is not null as has_run,
      (select count(*) from outgoing_feed_items where feed = f.id) as items,
      (select count(*) from outgoing_feed_entities where source = f.id) as entities
    from outgoing_feeds as f where f.id = $1`,
    [feed],
  )
  return rows[0]
}

test('a run stores a block, what consumers hold after it, and its success; a run without changes stores no block', async () => {
  const feed = await makeFeed()
  const { result, outcome } = await outgoingFeed.run(jobOf(feed))
  assert.equal(outcome, undefined)
  assert.partialDeepStrictEqual(result, { items: 2, entities: 2, differences: { came: 2, changed: 0, went: 0 } })
  const [block] = await blocksOf(feed)
  assert.equal(block?.text.split('\r\n').length, 4)
  assert.partialDeepStrictEqual(await stateOf(feed), {
    packaging_status: 'SUCCESS',
    failures: 0,
    last_error: null,
    has_success: true,
    has_run: true,
    items: 2,
    entities: 2,
  })
  const again = await outgoingFeed.run(jobOf(feed))
  assert.partialDeepStrictEqual(again, {
    result: { content_blocks: [], differences: { came: 0, changed: 0, went: 0 } },
  })
  assert.equal((await blocksOf(feed)).length, 1)
})

test('a crash while the block is stored leaves neither block nor state, and the next attempt stores both once', async () => {
  const feed = await makeFeed()
  const job = jobOf(feed)
  await corvus.pool.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'crashed'; end $$;
    create constraint trigger fail after insert on content_blocks deferrable initially deferred
      for each row execute function fail()`)
  await assert.rejects(packageFeed(job, feed), /crashed/)
  await corvus.pool.query('drop function fail cascade')
  assert.partialDeepStrictEqual(await stateOf(feed), { items: 0, entities: 0, packaging_status: null })
  const { blocks } = await packageFeed(job, feed)
  // The worker may die before it can report.
  assert.deepEqual((await packageFeed(job, feed)).blocks, blocks)
  assert.equal((await blocksOf(feed)).length, 1)
  assert.equal((await stateOf(feed)).items, 2)
})

test('a run whose feed is changed in the meantime starts over', async () => {
  const feed = await makeFeed()
  const lines: string[] = []
  let isFirst = true
  const slow: Blobs = {
    ...server.blobs,
    receive: async (...args) => {
      const draft = await server.blobs.receive(...args)
      if (isFirst) {
        isFirst = false
        const { status } = await corvus.call('PATCH', `outgoing-feeds/${feed}`, { data: { extract_types: ['ipv4'] } })
        assert.equal(status, 200)
      }
      return draft
    },
  }
  await packageFeed(jobOf(feed, { blobs: slow, log: (line: string) => lines.push(line) }), feed)
  assert.ok(lines.includes('The feed was changed in the meantime: the run starts over.'))
  const blocks = await blocksOf(feed)
  assert.equal(blocks.length, 1)
  assert.ok(blocks[0]?.text.includes('192.0.2.1') && !blocks[0].text.includes('a.example'))
})

test('writing content holds no write transaction, so that streams and webhooks do not wait', async () => {
  for (const update_strategy of ['REPLACE', 'DIFF']) {
    const feed = await makeFeed({ update_strategy })
    const writers: number[] = []
    const watching: Blobs = {
      ...server.blobs,
      receive: async (...args) => {
        const { rows } = await corvus.pool.query(`
          select count(*) filter (where backend_xid is not null) as writers, count(*) filter (where xact_start is not null) as open
          from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`)
        assert.ok(Number(rows[0].open) > 0, 'something is being read')
        writers.push(Number(rows[0].writers))
        return server.blobs.receive(...args)
      },
    }
    await packageFeed(jobOf(feed, { blobs: watching }), feed)
    assert.deepEqual(writers, [0], update_strategy)
  }
})

test('a feed whose owner is inactive or lacks permissions fails and says what to do', async () => {
  const token = await corvus.tokenFor([
    'read entities',
    'read extracts',
    'modify outgoing-feeds',
    'read outgoing-feeds',
  ])
  const feed = await makeFeed()
  const { rows } = await corvus.pool.query('select user_id from tokens where hash = sha256($1::text::bytea)', [token])
  const owner = rows[0].user_id
  await corvus.pool.query('update outgoing_feeds set owner = $1 where id = $2', [owner, feed])
  await corvus.pool.query('update users set is_active = false where id = $1', [owner])
  await assert.rejects(async () => outgoingFeed.run(jobOf(feed)), /Save the feed again/)
  const failed = await stateOf(feed)
  assert.partialDeepStrictEqual(failed, { packaging_status: 'FAILURE', failures: 1, is_failing: true, items: 0 })
  assert.match(failed.last_error, /Save the feed again/)
  await corvus.pool.query('update users set is_active = true where id = $1', [owner])
  await corvus.pool.query(
    'delete from role_permissions where source in (select source from role_users where target = $1)',
    [owner],
  )
  await assert.rejects(
    async () => outgoingFeed.run(jobOf(feed)),
    /Missing permissions: \[read entities, read extracts\]/,
  )
  assert.equal((await stateOf(feed)).failures, 2)
  await corvus.pool.query(
    'update outgoing_feeds set owner = (select owner from outgoing_feeds where id < $1 limit 1) where id = $1',
    [feed],
  )
  await outgoingFeed.run(jobOf(feed))
  assert.partialDeepStrictEqual(await stateOf(feed), { failures: 0, is_failing: false, last_error: null })
})

test('a block is signed if the feed is configured so, with the key that it names', async () => {
  const feed = await makeFeed({ do_sign_content: true, update_strategy: 'REPLACE' })
  await assert.rejects(async () => outgoingFeed.run(jobOf(feed)), /There is no signing key/)
  const made = await corvus.call('POST', 'configurations/private-key/generate', {
    data: { name: 'Team', email: 'team@example.org' },
  })
  assert.equal(made.status, 201)
  await outgoingFeed.run(jobOf(feed))
  const { rows } = await corvus.pool.query(
    'select signature, signed_with_key_id from content_blocks where outgoing_feed = $1',
    [feed],
  )
  const [block] = await blocksOf(feed)
  assert.equal(rows[0].signed_with_key_id, made.body.data.keyid)
  const { signatures } = await verify({
    message: await createMessage({ binary: Buffer.from(block?.text ?? '') }),
    signature: await readSignature({ armoredSignature: rows[0].signature }),
    verificationKeys: await readKey({ armoredKey: made.body.data.public_key }),
  })
  assert.equal(await signatures[0]?.verified, true)
})

test('a run that loses something although valid data is required sends nothing', async () => {
  const [tagged] = await put('entities', [{ data: { type: 'report', title: 'tagged' }, meta: { tags: ['x'] } }])
  const own = await make('datasets', { name: 'Tagged', workspaces: [1], entities: [tagged.id] })
  const stix1 = { content_type: 'urn:stix.mitre.org:xml:1.2', update_strategy: 'APPEND', datasets: [own.id] }
  const strict = await makeFeed({ ...stix1, require_valid_data: true })
  const lines: string[] = []
  const job = jobOf(strict, { log: (line: string) => lines.push(line) })
  await assert.rejects(async () => outgoingFeed.run(job), /Nothing was sent/)
  assert.ok(lines.some((line) => line.includes('tags: not supported by STIX 1.2')))
  assert.deepEqual([(await blocksOf(strict)).length, (await stateOf(strict)).items], [0, 0])
  const lenient = await makeFeed(stix1)
  assert.equal((await outgoingFeed.run(jobOf(lenient))).outcome, 'WARNING')
})

test('a preview reports the next block to the user who asks, and changes nothing', async () => {
  const feed = await makeFeed()
  await outgoingFeed.run(jobOf(feed))
  const before = await stateOf(feed)
  await rename('wren, renamed')
  const { body } = await corvus.call('GET', 'users/self')
  const task = await corvus.pool.query('select update_task from outgoing_feeds where id = $1', [feed])
  const job = jobOf(feed, { callerId: body.data.id, parameters: { feed, preview: true } })
  await corvus.pool.query(`insert into task_runs (id, task, parameters, state) values ($1, $2, '{}', 'STARTED')`, [
    job.id,
    task.rows[0].update_task,
  ])
  await outgoingFeed.run(job)
  const report = (await corvus.call('GET', `outgoing-feeds/${feed}/previews/${job.id}`)).body.data
  assert.partialDeepStrictEqual(report, {
    update_strategy: 'DIFF',
    entities: 2,
    items: 2,
    differences: { came: 0, changed: 1, went: 0 },
    losses: [],
  })
  assert.match(
    report.content,
    /^diff,value,.*\r\ndel,192\.0\.2\.1,.*\r\ndiff,value,.*\r\nadd,192\.0\.2\.1,.*wren, renamed/,
  )
  assert.equal(report.size, Buffer.byteLength(report.content))
  assert.deepEqual(await stateOf(feed), before)
  assert.equal((await blocksOf(feed)).length, 1)
})

test('a changed row is removed in one block and added in the next, so that consumers cannot apply them in the wrong order', async () => {
  const feed = await makeFeed()
  await outgoingFeed.run(jobOf(feed))
  await rename('wren, renamed again')
  const job = jobOf(feed)
  const { result } = (await outgoingFeed.run(job)) as { result: { content_blocks: number[]; items: number } }
  assert.deepEqual([result.content_blocks.length, result.items], [2, 2])
  const [gone, come] = (await blocksOf(feed)).slice(1)
  assert.match(gone?.text ?? '', /^diff,.*\r\ndel,[^\r]*\r\n$/)
  assert.match(come?.text ?? '', /^diff,.*\r\nadd,[^\r]*\r\n$/)
  const { body } = await corvus.call('GET', `/private/outgoing-feed-download/${feed}/runs/latest`)
  const path = `/private/outgoing-feed-download/${feed}/runs/${job.id}/content-blocks`
  assert.deepEqual(
    body.data.content_blocks,
    result.content_blocks.map((id) => `${path}/${id}`),
  )
})

test('sent content contains the address of the installation that the owner uses', async () => {
  const feed = await makeFeed({ update_strategy: 'REPLACE' })
  await outgoingFeed.run(jobOf(feed))
  const [block] = await blocksOf(feed)
  assert.ok(block?.text.includes(`${BASE}/api/v2/entities/${entities[1]?.id}`))
})
