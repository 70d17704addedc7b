import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { logged } from '../../engine/log.ts'
import { lockFeed } from '../outgoing/lock-feed.ts'

export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'READY', 'SUPERSEDED'] as const

/** A block that has been written and is to be stored. */
export interface WrittenContentBlock {
  readonly outgoing_feed: number
  /** The epoch of the feed when the run began. */
  readonly epoch: number
  readonly run_id: string
  /** The blocks of a run are applied in this order, from 1. */
  readonly part: number
  readonly content_type: string
  readonly filename: string
  /** The key of its stored blob. */
  readonly sha256: string
  readonly size: number
  readonly items_count: number
  readonly losses_count: number
  /** The key of the stored blob with the losses. */
  readonly losses: string | null
  readonly signature: string | null
  readonly signed_with_key_id: string | null
  /** A block for download is ready at once; a block for delivery waits. */
  readonly delivery_status: 'PENDING' | 'READY'
}

/** A block as reported by the run that wrote it. */
export interface StoredContentBlock {
  readonly id: number
  readonly filename: string
  readonly size: number
  readonly items_count: number
  readonly losses_count: number
  readonly delivery_status: (typeof DELIVERY_STATUSES)[number]
}

/** The blocks that a run has stored for a feed, in their order. */
export async function contentBlocksOfRun(
  { db }: Pick<Context, 'db'>,
  feed: number,
  run: string,
): Promise<StoredContentBlock[]> {
  const { rows } = await sql<StoredContentBlock>`
    select t.id, t.filename, t.size, t.items_count, t.losses_count, t.delivery_status
    from content_blocks as t
    where t.outgoing_feed = ${feed} and t.run_id = ${run}
    order by t.part`.execute(db)
  return rows
}

/**
 * Stores a block in a transaction, for the caller, who is the owner of the feed. A run stores each block only once, and none if its
 * feed was restarted in the meantime.
 */
export async function storeContentBlock(ctx: Context, block: WrittenContentBlock): Promise<StoredContentBlock> {
  await lockFeed(ctx, { id: block.outgoing_feed, epoch: block.epoch })
  await sql`
    with made as (
      insert into content_blocks
        (outgoing_feed, epoch, run_id, part, content_type, filename, sha256, size, items_count, losses_count, losses, signature,
          signed_with_key_id, delivery_status, destination)
      select t.id, ${block.epoch}, ${block.run_id}, ${block.part}, ${block.content_type}, ${block.filename}, ${block.sha256},
        ${block.size}, ${block.items_count}, ${block.losses_count}, ${block.losses}, ${block.signature},
        ${block.signed_with_key_id}, ${block.delivery_status}, t.collection_id
      from outgoing_feeds as t
      where t.id = ${block.outgoing_feed}
      on conflict (outgoing_feed, run_id, part) do nothing
      returning id
    ), ${logged(ctx, { collection: 'content_blocks' }, 'create', sql`made`)}
    select from made`.execute(ctx.db)
  const stored = (await contentBlocksOfRun(ctx, block.outgoing_feed, block.run_id))[block.part - 1]
  if (!stored) throw new TypeError('The block was not stored.')
  return stored
}
