import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, TaskError } from '../../../background/task.ts'
import type { Context } from '../../../engine/context.ts'
import type { Id } from '../../../engine/reference.ts'
import { retried } from '../../../engine/retried.ts'
import { resourceOf } from '../../../engine/select.ts'
import { retractRelationships } from '../../../exchange/importing/retract.ts'
import { asCaller } from '../../../identity/access/as-caller.ts'
import { isOfSource, keysOf } from '../../../identity/access/visibility.ts'
import { sweepBlobs } from '../../../intelligence/stored-blobs/sweep.ts'
import { purgeAllBlobs } from '../purge-blobs.ts'
import { PURGE_PERMISSIONS, requireSourceAllowed } from '../source-access.ts'
import { feedContext } from './as-feed.ts'
import { type Feed, findFeed } from './feed.ts'

const BATCH_SIZE = 2000

/** Deletes what a feed has imported in batches, so that it continues with the rest after a crash. */
export const purgeIncomingFeed = defineTask({
  type: 'purge-incoming-feed',
  doc: 'Deletes everything that an incoming feed has imported, with the permissions of the user who starts it.',
  parameters: z.object({ feed: z.int().describe('The id of the feed.') }),
  expireInSeconds: 12 * 3600,
  run: async (job) => {
    const { feed: id } = job.parameters
    await asCaller(job, ['modify incoming-feeds', ...PURGE_PERMISSIONS], 'read committed', (ctx) =>
      requireSourceAllowed(ctx, id),
    )
    const feed = await findFeed(job, id)
    if (!feed) throw new TaskError(`There is no incoming feed ${id}.`, { isFinal: true })
    const result = {
      // Before the entities, because most observables are found through these.
      observables: await inBatches(job, feed, OWN_SOURCE, (ctx) =>
        removeBatch(ctx, 'observables', observablesOf(feed)),
      ),
      entities: await inBatches(job, feed, OWN_SOURCE, (ctx) => removeBatch(ctx, 'entities', entitiesOf(feed))),
      relationships: await inBatches(job, feed, ALL_SOURCES, (ctx) => removeRelationships(ctx, feed)),
      blobs: await purgeAllBlobs(job.db, sql`t.feed = ${id}`),
    }
    await job.db.transaction().execute(async (db) => {
      await sql`
        update incoming_feeds set cursor = null, whole_transfer = null, settled_transfer = null where id = ${id}`.execute(
        db,
      )
      for (const table of ['feed_entities', 'feed_relationships', 'feed_observables'])
        await sql`delete from ${sql.table(table)} where feed = ${id}`.execute(db)
      await sql`
        update incoming_blobs set is_forgotten = true
        where feed = ${id} and state = 'PURGED' and not is_forgotten`.execute(db)
    })
    if (job.blobs) await sweepBlobs(job, job.signal)
    return { result }
  },
})

/** Whether a step sees only the source of the feed, so that other sources keep what they share with it, or all sources. */
const OWN_SOURCE = { isOwnOnly: true }
const ALL_SOURCES = { isOwnOnly: false }

/** Repeats work in separate transactions until nothing is left. */
async function inBatches(
  job: Job<unknown>,
  { source }: Feed,
  sight: { readonly isOwnOnly: boolean },
  work: (ctx: Context) => Promise<number>,
): Promise<number> {
  const options = { ...sight, callerId: job.callerId ?? 0 }
  for (let total = 0; ; ) {
    job.signal.throwIfAborted()
    const count = await retried(() =>
      job.db.transaction().execute(async (db) => {
        await sql`set local statement_timeout = '10min'`.execute(db)
        return work(await feedContext(job, db, source, options))
      }),
    )
    if (count === 0) return total
    total += count
  }
}

async function removeBatch(
  ctx: Context,
  collection: 'entities' | 'observables',
  found: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ id: Id }>`${found}`.execute(ctx.db)
  const resource = resourceOf(ctx, collection)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await resource.operations.remove?.(ctx, resource, ids)
  return ids.length
}

const isOfFeed = ({ source }: Feed, vis: RawBuilder<unknown>) => isOfSource(vis, numberOf(source))

const numberOf = (source: string) => sql`(select s.number from sources as s where s.id = ${source})`

/** Entities in the order in which all writers lock them. */
const entitiesOf = (feed: Feed) => sql`
  select t.id from entities as t
  where ${isOfFeed(feed, sql`t.vis`)}
  order by t.stix_id
  limit ${BATCH_SIZE}
  for update of t`

const observablesOf = (feed: Feed) => sql`
  select id from (
    select l.target as id from entities as e join entity_observables as l on l.source = e.id
    where ${isOfFeed(feed, sql`e.vis`)}
    union
    select r.observable from observable_records as r where ${isOfFeed(feed, sql`r.vis`)}
  ) as u
  limit ${BATCH_SIZE}`

/** Removes the source of the feed from relationships between entities of others; those with another source stay. */
async function removeRelationships(ctx: Context, { source }: Feed): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select t.id
    from relationships as t
    where t.vis && ${keysOf(numberOf(source))}
    order by t.id
    limit ${BATCH_SIZE}`.execute(ctx.db)
  return retractRelationships(
    ctx,
    source,
    rows.map(({ id }) => id),
  )
}
