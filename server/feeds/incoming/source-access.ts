import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/errors.ts'

/**
 * Whether one of the caller's groups allows the source in a column. It asks the database, so that users see the source of a new feed at
 * once instead of after all processes have learned of it.
 */
export const isSourceAllowed = (
  { caller }: Pick<Context, 'caller'>,
  source: RawBuilder<unknown>,
): RawBuilder<SqlBool> =>
  sql`exists (
    select from group_users as m join group_sources as a on a.source = m.source
    where m.target = ${caller.id} and a.target = ${source})`

/** A 404 unless the caller sees the source of a feed, because fetched content is as sensitive as the intelligence imported from it. */
export async function requireSourceAllowed(ctx: Pick<Context, 'db' | 'caller'>, feed: number): Promise<void> {
  const { rows } = await sql`
    select from incoming_feeds as f where f.id = ${feed} and ${isSourceAllowed(ctx, sql`f.source`)}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(feed)
}

/** The permissions for purging a feed besides changing feeds, because it deletes entities and observables. */
export const PURGE_PERMISSIONS = ['modify entities', 'modify extracts']
