import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { receiverOfTests } from '../../../test/set-up/parcels.ts'
import { addBlock, corvus, makeFeed, makeJob, server } from '../../../test/set-up/publishing.ts'
import { TaskError } from '../../background/task.ts'
import { TransportError } from '../collecting/collector.ts'
import { deliverBlocks } from './deliver.ts'
import { recordFailedRun } from './record-run.ts'

const PUSH = 'eiq.outgoing-transports.http-push'
const SECRET = 'correct-horse-battery'

const receiver = await receiverOfTests()

const pushing = (update_strategy: string, rest: object = {}) =>
  makeFeed(PUSH, { url: receiver.url, token: SECRET }, { update_strategy, ...rest })

interface Block {
  readonly delivery_status: string
  readonly delivery_error: string | null
  readonly attempts: number
  readonly is_delivered: boolean
}

async function blocksOf(feed: number): Promise<[string, number, boolean, string | null][]> {
  const { rows } = await corvus.pool.query<Block>(
    `select delivery_status, delivery_error, attempts, delivered_at is not null as is_delivered
    from content_blocks where outgoing_feed = $1 order by id`,
    [feed],
  )
  return rows.map((row) => [row.delivery_status, row.attempts, row.is_delivered, row.delivery_error])
}

const received = () => receiver.got.map(({ body }) => body.toString())

test('waiting blocks are delivered once, in the order in which they were written', async () => {
  const feed = await pushing('APPEND')
  const ids = [await addBlock(feed, 'one'), await addBlock(feed, 'two'), await addBlock(feed, 'three')]
  await addBlock(await pushing('APPEND'), 'of another feed')
  const job = makeJob()
  assert.deepEqual(await deliverBlocks(job, feed), { delivered: 3, pending: 0 })
  assert.deepEqual(received(), ['one', 'two', 'three'])
  assert.deepEqual(
    receiver.got.map(({ headers }) => [headers['x-corvus-block'], headers.authorization]),
    ids.map((id) => [String(id), `Bearer ${SECRET}`]),
  )
  assert.deepEqual(await blocksOf(feed), Array(3).fill(['DELIVERED', 1, true, null]))
  assert.ok(!job.lines.join().includes(SECRET))
  assert.deepEqual(await deliverBlocks(makeJob(), feed), { delivered: 0, pending: 0 })
  assert.equal(receiver.got.length, 3)
})

test('the first block that fails stops later ones and records why; the next run continues there', async () => {
  const feed = await pushing('DIFF')
  for (const content of ['one', 'two', 'three']) await addBlock(feed, content)
  receiver.answers.push(
    (response) => response.end(),
    (response) => response.writeHead(503, { 'retry-after': '120' }).end(SECRET),
  )
  await assert.rejects(deliverBlocks(makeJob(), feed), (error) => {
    assert.ok(error instanceof TransportError)
    assert.deepEqual([error.kind, error.retryAfter], ['server', 120])
    return true
  })
  const [first, second, third] = await blocksOf(feed)
  assert.deepEqual(first, ['DELIVERED', 1, true, null])
  assert.deepEqual(second?.slice(0, 3), ['PENDING', 1, false])
  assert.match(second?.[3] ?? '', /answered 503 .*120 seconds$/)
  assert.deepEqual(third, ['PENDING', 0, false, null])
  assert.deepEqual(await deliverBlocks(makeJob(), feed), { delivered: 2, pending: 0 })
  assert.deepEqual(received(), ['one', 'two', 'two', 'three'])
  assert.deepEqual((await blocksOf(feed))[1], ['DELIVERED', 2, true, null])
  assert.ok(!JSON.stringify((await corvus.pool.query('select * from content_blocks')).rows).includes(SECRET))
})

test('despite all failures, a receiver gets every block in order', async () => {
  const outcome = fc.constantFrom('taken', 'refused', 'taken without an answer')
  await fc.assert(
    fc.asyncProperty(fc.array(outcome, { maxLength: 8 }), fc.integer({ min: 1, max: 4 }), async (outcomes, count) => {
      receiver.got.splice(0)
      receiver.answers.splice(0)
      receiver.answers.push(
        ...outcomes.map((one) => (response: ServerResponse, request: IncomingMessage) => {
          if (one === 'taken') response.end()
          else if (one === 'refused') response.writeHead(503).end()
          else request.socket.destroy()
        }),
      )
      const feed = await pushing('APPEND')
      const ids: number[] = []
      for (let i = 0; i < count; i++) ids.push(await addBlock(feed, `block ${i}`))
      for (let runs = 0; runs <= outcomes.length; runs++) await deliverBlocks(makeJob(), feed).catch(() => undefined)
      const seen = receiver.got.map(({ headers }) => Number(headers['x-corvus-block']))
      assert.deepEqual(
        seen.filter((id, i) => id !== seen[i - 1]),
        ids,
      )
      assert.ok((await blocksOf(feed)).every(([status]) => status === 'DELIVERED'))
    }),
    { numRuns: 25 },
  )
})

test('if blocks replace each other, only the newest is delivered', async () => {
  const feed = await pushing('REPLACE')
  for (const content of ['one', 'two', 'three']) await addBlock(feed, content)
  const job = makeJob()
  assert.deepEqual(await deliverBlocks(job, feed), { delivered: 1, pending: 0 })
  assert.deepEqual(received(), ['three'])
  const superseded = ['SUPERSEDED', 0, false, null]
  assert.deepEqual(await blocksOf(feed), [superseded, superseded, ['DELIVERED', 1, true, null]])
  assert.match(job.lines.join(), /^2 waiting blocks are superseded/)
})

test('a newer block supersedes one that fails, and a purged block supersedes nothing', async () => {
  const feed = await pushing('REPLACE')
  await addBlock(feed, 'one')
  receiver.answers.push((response) => response.writeHead(500).end())
  await assert.rejects(deliverBlocks(makeJob(), feed), TransportError)
  await addBlock(feed, 'purged', { sha256: null, delivery_status: 'FAILED' })
  assert.deepEqual(await deliverBlocks(makeJob(), feed), { delivered: 1, pending: 0 })
  assert.deepEqual(received(), ['one', 'one'])
})

test('a crash between sending a block and recording it sends the same block again, with its id', async () => {
  const feed = await pushing('APPEND')
  const id = await addBlock(feed, 'one')
  await corvus.pool.query(`
    create function stop_here() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
    create trigger stop_here before update of delivered_at on content_blocks for each row execute function stop_here()`)
  await assert.rejects(deliverBlocks(makeJob(), feed), /killed/)
  await corvus.pool.query('drop trigger stop_here on content_blocks; drop function stop_here')
  assert.deepEqual(await blocksOf(feed), [['PENDING', 1, false, null]])
  assert.deepEqual(await deliverBlocks(makeJob(), feed), { delivered: 1, pending: 0 })
  assert.deepEqual(
    receiver.got.map(({ headers, body }) => [headers['x-corvus-block'], body.toString()]),
    [
      [String(id), 'one'],
      [String(id), 'one'],
    ],
  )
})

test('stopping a run leaves its block unchanged, without an error', async () => {
  const feed = await pushing('APPEND')
  await addBlock(feed, 'one')
  const stopped = new AbortController()
  receiver.answers.push(() => stopped.abort(new Error('The worker was stopped.')))
  await assert.rejects(deliverBlocks(makeJob(stopped.signal), feed), /The worker was stopped/)
  assert.deepEqual(await blocksOf(feed), [['PENDING', 1, false, null]])
})

test('lost bytes are an internal error', async () => {
  const feed = await pushing('APPEND')
  const id = await addBlock(feed, 'lost bytes')
  const { rows } = await corvus.pool.query('select sha256 from content_blocks where id = $1', [id])
  await server.blobs?.remove(rows[0].sha256)
  await assert.rejects(deliverBlocks(makeJob(), feed), /The bytes of the block cannot be read/)
  assert.match((await blocksOf(feed))[0]?.[3] ?? '', /^An internal error/)
})

test('waiting blocks become ready for download when the transport changes to download', async () => {
  const feed = await makeFeed('eiq.outgoing-transports.http-download', {}, { update_strategy: 'APPEND' })
  await addBlock(feed, 'one')
  assert.deepEqual(await deliverBlocks(makeJob(), feed), { delivered: 0, pending: 0 })
  assert.deepEqual(await blocksOf(feed), [['READY', 0, false, null]])
  await assert.rejects(deliverBlocks(makeJob(), 2_000_000), /The feed was deleted/)
})

test('secrets that were sealed with another key are an error that says what to do', async () => {
  const feed = await pushing('APPEND')
  await addBlock(feed, 'one')
  await corvus.pool.query(`update outgoing_feeds set transport_secrets = 'v1.nonsense' where id = $1`, [feed])
  await assert.rejects(deliverBlocks(makeJob(), feed), (error) => {
    assert.ok(error instanceof TransportError && error.kind === 'configuration')
    return /enter them again/.test(error.message)
  })
})

test('only a waiting block can be delivered at once, by a run of its feed', async () => {
  const feed = await pushing('APPEND')
  const id = await addBlock(feed, 'one')
  const { status, body } = await corvus.call('POST', `content-blocks/${id}/deliver`)
  assert.equal(status, 202, JSON.stringify(body))
  const run = await corvus.call('GET', new URL(body.data.task_run).pathname)
  assert.deepEqual([run.body.data.state, run.body.data.parameters], ['SENT', { feed }])
  const again = await corvus.call('POST', `content-blocks/${id}/deliver`)
  assert.deepEqual([again.status, /is already running/.test(again.body[0].detail)], [409, true])
  const done = await addBlock(feed, 'two', { delivery_status: 'DELIVERED' })
  const refused = await corvus.call('POST', `content-blocks/${done}/deliver`)
  assert.deepEqual(
    [refused.status, refused.body[0].detail],
    [409, `Block ${done} is not waiting for delivery: it is DELIVERED.`],
  )
  const purged = await addBlock(feed, 'three', { sha256: null, delivery_status: 'FAILED', purged_at: new Date() })
  assert.equal((await corvus.call('POST', `content-blocks/${purged}/deliver`)).status, 410)
  assert.equal((await corvus.call('POST', 'content-blocks/999999/deliver')).status, 404)
  const reader = await corvus.tokenFor(['read outgoing-feeds', 'read content-blocks'])
  assert.equal((await corvus.call('POST', `content-blocks/${id}/deliver`, undefined, reader)).status, 403)
})

test('a receiver that asks to wait is not called before, and the kind of error is counted', async () => {
  const feed = await pushing('APPEND', { execution_schedule: { cron: null, interval: 60, time_zone: 'UTC' } })
  const cause = new TransportError('rate-limited', 'too often', { retryAfter: 7200 })
  await recordFailedRun(makeJob(), feed, new TaskError('too often', { cause }), true)
  const { rows } = await corvus.pool.query(
    `select t.next_run_at > now() + interval '119 minutes' as is_later, f.failures, e.kind
    from outgoing_feeds as f join tasks as t on t.id = f.update_task join feed_failures as e on e.outgoing_feed = f.id
    where f.id = $1`,
    [feed],
  )
  assert.deepEqual(rows, [{ is_later: true, failures: 1, kind: 'rate-limited' }])
})
