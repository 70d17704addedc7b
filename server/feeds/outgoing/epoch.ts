import { sql } from 'kysely'
import type { Id } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { sweepSoon } from '../../intelligence/stored-blobs/sweep-soon.ts'
import { purgeBlocks } from '../content-blocks/purge.ts'

type Own = Pick<Context, 'db' | 'caller' | 'taskTypes'>

/** What is remembered of what was sent, by the column that holds the feed. */
const STATE = [
  ['outgoing_feed_items', 'feed'],
  ['collection_objects', 'feed'],
  ['outgoing_feed_entities', 'source'],
] as const

/**
 * Lets feeds begin anew, as if they had never sent anything: blocks from before are gone for consumers, and the next run sends
 * all of it. In a transaction. Consumers that remember which block they took last see by `created_at` that they have to begin
 * anew as well, and by the status that there is nothing yet.
 */
export async function beginEpoch(ctx: Own, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return
  // A collection may have millions of objects.
  await sql`set local statement_timeout = '10min'`.execute(ctx.db)
  await sql`
    update outgoing_feeds
    set epoch = epoch + 1, created_at = now(), packaging_status = null
    where id = any(${ids}::integer[])`.execute(ctx.db)
  for (const [table, column] of STATE) {
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = any(${ids}::integer[])`.execute(ctx.db)
  }
  const purged = await purgeBlocks(ctx.db, sql`t.outgoing_feed = any(${ids}::integer[])`, ctx.caller)
  if (purged > 0) await sweepSoon(ctx)
}
