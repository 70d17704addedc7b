import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../../engine/resource.ts'
import { isOf } from '../../../exchange/importing/contributions.ts'
import type { Import } from '../../../exchange/importing/import-batch.ts'
import {
  deleteEntities,
  markWithdrawn,
  takeAwayObservables,
  takeAwayRelationships,
} from '../../../exchange/importing/take-away.ts'
import type { Feed } from './feed.ts'

const AT_ONCE = 1000

/** How much a transfer took away, by what it was. */
export interface TakenAway {
  readonly entities: number
  readonly relationships: number
  readonly observables: number
}

interface Settling {
  readonly feed: Pick<Feed, 'id' | 'source' | 'withdrawn'>
  readonly transfer: number
  readonly act: Import['act']
  readonly signal: AbortSignal
}

/** Takes away what a feed wrote and a transfer that has everything does not have. Doing it again finds nothing more. */
export async function settleWhole(settling: Settling): Promise<TakenAway> {
  const { feed } = settling
  return {
    // Before the entities, which would take them along without counting them.
    relationships: await inBatches(settling, (ctx) => absentRelationships(ctx, settling)),
    entities: feed.withdrawn === 'keep' ? 0 : await inBatches(settling, (ctx) => absentEntities(ctx, settling)),
    observables: await inBatches(settling, (ctx) => absentObservables(ctx, settling)),
  }
}

/**
 * Takes away relationships that entities of a transfer held and hold no longer, and entities that an earlier one took away or, where
 * this one also brought something, this one.
 */
export async function settleParts(settling: Settling): Promise<TakenAway> {
  const relationships = await inBatches(settling, async (ctx) => {
    const { feed, transfer } = settling
    const { rows } = await sql<{ id: string }>`
      delete from feed_relationships as t
      where (t.feed, t.relationship) in (
        select r.feed, r.relationship
        from feed_entities as e join feed_relationships as r on r.feed = e.feed and r.holder = e.entity
        where e.feed = ${feed.id} and e.transfer = ${transfer}::bigint and r.transfer < ${transfer}::bigint
        limit ${AT_ONCE})
      returning t.relationship as id`.execute(ctx.db)
    return { found: rows.length, taken: await takeAwayRelationships(ctx, feed.source, idsOf(rows)) }
  })
  const { feed, transfer } = settling
  const isOver = sql<SqlBool>`t.gone_transfer < ${transfer}::bigint or exists (
    select from feed_entities as o where o.feed = t.feed and o.transfer = ${transfer}::bigint)`
  return {
    entities: feed.withdrawn === 'delete' ? await settleGone(settling, isOver) : 0,
    relationships,
    observables: 0,
  }
}

/** Deletes entities that were taken away and did not come again, where that is clear by now. */
export const settleGone = (settling: Omit<Settling, 'transfer'>, isOver: RawBuilder<SqlBool>): Promise<number> =>
  inBatches(settling, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      select e.id
      from feed_entities as t join entities as e on e.id = t.entity
      where t.feed = ${settling.feed.id} and t.gone_transfer is not null and (${isOver})
        and e.is_withdrawn and ${isOf(settling.feed.source)}
      order by e.stix_id
      limit ${AT_ONCE}
      for update of e`.execute(ctx.db)
    await deleteEntities(ctx, idsOf(rows))
    return { found: rows.length, taken: rows.length }
  })

interface Taken {
  readonly found: number
  readonly taken: number
}

async function inBatches(
  { act, signal }: Pick<Settling, 'act' | 'signal'>,
  work: (ctx: Context) => Promise<Taken>,
): Promise<number> {
  for (let total = 0; ; ) {
    signal.throwIfAborted()
    const { found, taken } = await act(work)
    total += taken
    if (found < AT_ONCE) return total
  }
}

const idsOf = <I>(rows: readonly { readonly id: I }[]): I[] => rows.map(({ id }) => id)

async function absentRelationships(ctx: Context, { feed, transfer }: Settling): Promise<Taken> {
  const { rows } = await sql<{ id: string }>`
    delete from feed_relationships as t
    where (t.feed, t.relationship) in (
      select r.feed, r.relationship from feed_relationships as r
      where r.feed = ${feed.id} and r.transfer < ${transfer}::bigint
      limit ${AT_ONCE})
    returning t.relationship as id`.execute(ctx.db)
  return { found: rows.length, taken: await takeAwayRelationships(ctx, feed.source, idsOf(rows)) }
}

async function absentEntities(ctx: Context, { feed, transfer }: Settling): Promise<Taken> {
  const isMarked = feed.withdrawn === 'mark'
  const { rows } = await sql<{ id: string }>`
    select e.id
    from feed_entities as t join entities as e on e.id = t.entity
    where t.feed = ${feed.id} and t.transfer < ${transfer}::bigint and not (${isMarked} and e.is_withdrawn)
      and ${isOf(feed.source)}
    order by e.stix_id
    limit ${AT_ONCE}
    for update of e`.execute(ctx.db)
  const ids = idsOf(rows)
  if (isMarked) return { found: ids.length, taken: await markWithdrawn(ctx, ids, true) }
  await deleteEntities(ctx, ids)
  return { found: ids.length, taken: ids.length }
}

async function absentObservables(ctx: Context, { feed, transfer }: Settling): Promise<Taken> {
  const { rows } = await sql<{ id: number }>`
    delete from feed_observables as t
    where (t.feed, t.observable) in (
      select o.feed, o.observable from feed_observables as o
      where o.feed = ${feed.id} and o.transfer < ${transfer}::bigint
      limit ${AT_ONCE})
    returning t.observable as id`.execute(ctx.db)
  return { found: rows.length, taken: await takeAwayObservables(ctx, feed.source, idsOf(rows)) }
}
