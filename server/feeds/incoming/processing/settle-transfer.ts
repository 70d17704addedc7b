import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { isOf } from '../../../exchange/importing/contributions.ts'
import type { Import } from '../../../exchange/importing/import-batch.ts'
import {
  deleteEntities,
  markWithdrawn,
  retractObservables,
  retractRelationships,
} from '../../../exchange/importing/retract.ts'
import type { Feed } from './feed.ts'

const BATCH_SIZE = 1000

/** How many objects a transfer removed, by their kind. */
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

/** Removes what a feed wrote and a complete transfer does not contain. Repeating it has no effect. */
export async function settleWhole(settling: Settling): Promise<TakenAway> {
  const { feed } = settling
  return {
    // Before the entities, whose removal would delete them uncounted.
    relationships: await inBatches(settling, (ctx) => absentRelationships(ctx, settling)),
    entities: feed.withdrawn === 'keep' ? 0 : await inBatches(settling, (ctx) => absentEntities(ctx, settling)),
    observables: await inBatches(settling, (ctx) => absentObservables(ctx, settling)),
  }
}

/**
 * Removes relationships that entities of a transfer no longer have, and entities that an earlier transfer removed, or this one if it
 * also contained something else.
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
        limit ${BATCH_SIZE})
      returning t.relationship as id`.execute(ctx.db)
    return { found: rows.length, taken: await retractRelationships(ctx, feed.source, idsOf(rows)) }
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

/** Deletes entities that were removed and, as is certain by now, did not arrive again. */
export const settleGone = (settling: Omit<Settling, 'transfer'>, isOver: RawBuilder<SqlBool>): Promise<number> =>
  inBatches(settling, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      select e.id
      from feed_entities as t join entities as e on e.id = t.entity
      where t.feed = ${settling.feed.id} and t.gone_transfer is not null and (${isOver})
        and e.is_withdrawn and ${isOf(settling.feed.source)}
      order by e.stix_id
      limit ${BATCH_SIZE}
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
    if (found < BATCH_SIZE) return total
  }
}

const idsOf = <I>(rows: readonly { readonly id: I }[]): I[] => rows.map(({ id }) => id)

async function absentRelationships(ctx: Context, { feed, transfer }: Settling): Promise<Taken> {
  const { rows } = await sql<{ id: string }>`
    delete from feed_relationships as t
    where (t.feed, t.relationship) in (
      select r.feed, r.relationship from feed_relationships as r
      where r.feed = ${feed.id} and r.transfer < ${transfer}::bigint
      limit ${BATCH_SIZE})
    returning t.relationship as id`.execute(ctx.db)
  return { found: rows.length, taken: await retractRelationships(ctx, feed.source, idsOf(rows)) }
}

async function absentEntities(ctx: Context, { feed, transfer }: Settling): Promise<Taken> {
  const isMarked = feed.withdrawn === 'mark'
  const { rows } = await sql<{ id: string }>`
    select e.id
    from feed_entities as t join entities as e on e.id = t.entity
    where t.feed = ${feed.id} and t.transfer < ${transfer}::bigint and not (${isMarked} and e.is_withdrawn)
      and ${isOf(feed.source)}
    order by e.stix_id
    limit ${BATCH_SIZE}
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
      limit ${BATCH_SIZE})
    returning t.observable as id`.execute(ctx.db)
  return { found: rows.length, taken: await retractObservables(ctx, feed.source, idsOf(rows)) }
}
