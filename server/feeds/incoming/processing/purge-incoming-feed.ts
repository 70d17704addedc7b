import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, TaskError } from '../../../background/task.ts'
import type { Id } from '../../../engine/reference.ts'
import type { Context } from '../../../engine/resource.ts'
import { retried } from '../../../engine/retried.ts'
import { resourceOf } from '../../../engine/select.ts'
import { takeAwayRelationships } from '../../../exchange/importing/take-away.ts'
import { asCaller } from '../../../identity/access/as-caller.ts'
import { isOfSource, keysOf } from '../../../identity/access/visibility.ts'
import { sweepBlobs } from '../../../intelligence/stored-blobs/sweep.ts'
import { purgeAllBlobs } from '../purge-blobs.ts'
import { PURGING, requireSeen } from '../seen.ts'
import { contextOf } from './as-feed.ts'
import { type Feed, findFeed } from './feed.ts'

const AT_ONCE = 2000

/** Deletes what a feed has brought, some at a time: after a crash it goes on with what is left. */
export const purgeIncomingFeed = defineTask({
  type: 'purge-incoming-feed',
  doc: 'Deletes all that an incoming feed has brought, for who starts it.',
  parameters: z.object({ feed: z.int().describe('The id of the feed.') }),
  expireInSeconds: 12 * 3600,
  run: async (job) => {
    const { feed: id } = job.parameters
    await asCaller(job, ['modify incoming-feeds', ...PURGING], 'read committed', (ctx) => requireSeen(ctx, id))
    const feed = await findFeed(job, id)
    if (!feed) throw new TaskError(`There is no incoming feed ${id}.`, { isFinal: true })
    const result = {
      // Before the entities, because most of them are seen through these.
      observables: await some(job, feed, OWN, (ctx) => removeFound(ctx, 'observables', observablesOf(feed))),
      entities: await some(job, feed, OWN, (ctx) => removeFound(ctx, 'entities', entitiesOf(feed))),
      relationships: await some(job, feed, ALL, (ctx) => removeRelationships(ctx, feed)),
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

/** What is looked at: what belongs to the feed and nothing else, so that what others have of it stays theirs, or all there is. */
const OWN = { isOwnOnly: true }
const ALL = { isOwnOnly: false }

/** Does something to some at a time, each time in a transaction of its own, until none are left. */
async function some(
  job: Job<unknown>,
  { source }: Feed,
  sight: { readonly isOwnOnly: boolean },
  work: (ctx: Context) => Promise<number>,
): Promise<number> {
  const manner = { ...sight, callerId: job.callerId ?? 0 }
  for (let total = 0; ; ) {
    job.signal.throwIfAborted()
    const count = await retried(() =>
      job.db.transaction().execute(async (db) => {
        await sql`set local statement_timeout = '10min'`.execute(db)
        return work(await contextOf(job, db, source, manner))
      }),
    )
    if (count === 0) return total
    total += count
  }
}

async function removeFound(
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

/** In the order in which all writers lock entities. */
const entitiesOf = (feed: Feed) => sql`
  select t.id from entities as t
  where ${isOfFeed(feed, sql`t.vis`)}
  order by t.stix_id
  limit ${AT_ONCE}
  for update of t`

const observablesOf = (feed: Feed) => sql`
  select id from (
    select l.target as id from entities as e join entity_observables as l on l.source = e.id
    where ${isOfFeed(feed, sql`e.vis`)}
    union
    select r.observable from observable_records as r where ${isOfFeed(feed, sql`r.vis`)}
  ) as u
  limit ${AT_ONCE}`

/** Relationships between entities of others: those that have another source stay, without this one. */
async function removeRelationships(ctx: Context, { source }: Feed): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select t.id
    from relationships as t
    where t.vis && ${keysOf(numberOf(source))}
    order by t.id
    limit ${AT_ONCE}`.execute(ctx.db)
  return takeAwayRelationships(
    ctx,
    source,
    rows.map(({ id }) => id),
  )
}
