import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { logged } from '../../engine/log.ts'
import { NOBODY } from '../../engine/route.ts'
import type { Server } from '../../server.ts'

/** A block that waits to be delivered to its consumers. */
export interface PendingBlock {
  readonly id: number
  readonly filename: string
  readonly content_type: string
  readonly sha256: string
  readonly size: number
  readonly items_count: number
  readonly signature: string | null
  readonly reached: readonly string[]
  readonly created_at: string
}

const isPending = (feed: number): RawBuilder<unknown> =>
  sql`t.outgoing_feed = ${feed} and t.delivery_status = 'PENDING' and t.sha256 is not null`

/** The waiting blocks of a feed, oldest first. */
export async function pendingBlocks({ db }: Server, feed: number): Promise<PendingBlock[]> {
  const { rows } = await sql<PendingBlock>`
    select t.id, t.filename, t.content_type, t.sha256, t.size, t.items_count, t.signature, t.reached, t.created_at
    from content_blocks as t
    where ${isPending(feed)}
    order by t.id`.execute(db)
  return rows
}

/** Marks the waiting blocks of a feed that a newer block replaces as superseded, and returns their number. */
export const supersedeOldBlocks = (server: Server, feed: number): Promise<number> =>
  change(
    server,
    sql`delivery_status = 'SUPERSEDED', delivery_error = null`,
    sql`${isPending(feed)} and exists (
      select from content_blocks as newer
      where newer.outgoing_feed = t.outgoing_feed and newer.id > t.id
        and newer.delivery_status in ('PENDING', 'DELIVERED', 'READY'))`,
  )

/** Makes the waiting blocks of a feed available for download. */
export const markReady = (server: Server, feed: number): Promise<number> =>
  change(server, sql`delivery_status = 'READY', delivery_error = null`, isPending(feed))

/** Counts a delivery attempt before it is made, and returns its number; undefined if the block no longer waits. */
export async function beginAttempt({ db }: Server, id: number): Promise<number | undefined> {
  const { rows } = await sql<{ attempts: number }>`
    update content_blocks as t set attempts = attempts + 1
    where t.id = ${id} and t.delivery_status = 'PENDING' and t.sha256 is not null
    returning attempts`.execute(db)
  return rows[0]?.attempts
}

/** Records that one of several recipients has received the block. */
export async function recordRecipient({ db }: Server, id: number, recipient: string): Promise<void> {
  await sql`update content_blocks set reached = array_append(reached, ${recipient}::text) where id = ${id}`.execute(db)
}

/** Marks a block as delivered. */
export async function markDelivered(server: Server, id: number): Promise<void> {
  const arrived = sql`delivery_status = 'DELIVERED', delivered_at = now(), delivery_error = null, reached = '{}'`
  await change(server, arrived, sql`t.id = ${id} and t.delivery_status = 'PENDING'`)
}

/** Records why a block could not be delivered; it keeps waiting. */
export async function recordDeliveryError(server: Server, id: number, reason: string): Promise<void> {
  const kept = reason.slice(0, 2000)
  await change(server, sql`delivery_error = ${kept}`, sql`t.id = ${id} and t.delivery_error is distinct from ${kept}`)
}

async function change(server: Server, set: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<number> {
  const ctx: Context = { ...server, caller: NOBODY, baseUrl: '' }
  const { rows } = await sql<{ count: number }>`
    with changed as (
      update content_blocks as t set ${set} where ${where} returning t.id
    ), ${logged(ctx, { collection: 'content_blocks' }, 'update', sql`changed`)}
    select count(*)::integer as count from changed`.execute(server.db)
  return rows[0]?.count ?? 0
}
