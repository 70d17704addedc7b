import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { notFound } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'

/**
 * Whether one of the caller's groups allows the source in a column, as the database has it: whoever makes a feed sees its source
 * at once, and not only when all processes have heard of it.
 */
export const isSeen = ({ caller }: Pick<Context, 'caller'>, source: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`exists (
    select from group_users as m join group_sources as a on a.source = m.source
    where m.target = ${caller.id} and a.target = ${source})`

/** A 404 unless the caller sees the source of a feed: what it fetched is intelligence as much as what was made of it. */
export async function requireSeen(ctx: Pick<Context, 'db' | 'caller'>, feed: number): Promise<void> {
  const { rows } = await sql`
    select from incoming_feeds as f where f.id = ${feed} and ${isSeen(ctx, sql`f.source`)}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(feed)
}

/** What purging a feed takes beside changing feeds: it deletes what others write one by one. */
export const PURGING = ['modify entities', 'modify extracts']
