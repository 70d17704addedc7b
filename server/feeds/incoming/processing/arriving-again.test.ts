import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ask,
  bundle,
  corvus,
  entitiesOf,
  type Item,
  indicator,
  makePushFeed,
  push,
  relationship,
} from '../../../../test/set-up/incoming-feeds.ts'
import { until } from '../../../../test/until.ts'

/** Blocks imports when they write into a table. */
async function hold(table: string) {
  const holder = await corvus.pool.connect()
  await holder.query(`begin; lock table ${table} in exclusive mode`)
  return {
    /** Resolves once an import waits there. */
    reached: () =>
      until(async () => {
        const waiting = 'select from pg_locks where not granted and relation = $1::regclass'
        return (await corvus.pool.query(waiting, [table])).rowCount
      }, `no import writes into ${table}`),
    [Symbol.asyncDispose]: async () => {
      await holder.query('commit')
      holder.release()
    },
  }
}

const send = async (feed: { id: number }, content: string) => assert.equal((await push(feed, content)).status, 202)

/** A document, a later one, and what shows that the feed went back from the second to the first. */
function twoDocuments() {
  const [one, two] = [indicator('In both'), indicator('In the second')]
  return { first: bundle(one), second: bundle(one, two, relationship(one.id, two.id)) }
}

async function assertWentBack(feed: { id: number; source: string }): Promise<void> {
  await until(async () => (await ask('GET', `incoming-feeds/${feed.id}`)).n_blobs_pending === 0, 'content still waits')
  const held = (await entitiesOf(feed)).map(({ data, meta }) => [(data as Item).title, (meta as Item).is_withdrawn])
  assert.deepEqual(Object.fromEntries(held), { 'In both': false, 'In the second': true })
}

test('content that arrives again while it is processed is processed again, after what arrived in between', async () => {
  const feed = await makePushFeed({ update_strategy: 'REPLACE' })
  const { first, second } = twoDocuments()
  {
    await using firstImport = await hold('feed_entities')
    await send(feed, first)
    await firstImport.reached()
    await send(feed, second)
    await send(feed, first)
  }
  await assertWentBack(feed)
})

test('content that arrives again is read from its beginning, even by the run that processed it before', async () => {
  const feed = await makePushFeed({ update_strategy: 'REPLACE' })
  const { first, second } = twoDocuments()
  const firstImport = await hold('feed_entities')
  await send(feed, first)
  await firstImport.reached()
  await send(feed, second)
  {
    await using secondImport = await hold('relationships')
    await firstImport[Symbol.asyncDispose]()
    await secondImport.reached()
    await send(feed, first)
  }
  await assertWentBack(feed)
})
