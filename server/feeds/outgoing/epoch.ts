import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { purgeBlocks } from '../content-blocks/purge-blocks.ts'

type EpochContext = Pick<Context, 'db' | 'caller' | 'taskTypes'>

/** The tables that remember what was sent, with the column that refers to the feed. */
const STATE_TABLES = [
  ['outgoing_feed_items', 'feed'],
  ['collection_objects', 'feed'],
  ['outgoing_feed_entities', 'source'],
] as const

/**
 * Restarts feeds in a transaction, as if they had never sent anything: their blocks are purged and the next run sends everything.
 * Consumers that remember their last block see from `created_at` that they have to start over, and from the status that there is
 * nothing yet.
 */
export async function beginEpoch(ctx: EpochContext, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return
  // A collection may have millions of objects.
  await sql`set local statement_timeout = '10min'`.execute(ctx.db)
  await sql`
    update outgoing_feeds
    set epoch = epoch + 1, created_at = now(), packaging_status = null
    where id = any(${ids}::integer[])`.execute(ctx.db)
  for (const [table, column] of STATE_TABLES) {
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = any(${ids}::integer[])`.execute(ctx.db)
  }
  const purged = await purgeBlocks(ctx.db, sql`t.outgoing_feed = any(${ids}::integer[])`, ctx.caller)
  if (purged > 0) await sweepSoon(ctx)
}
