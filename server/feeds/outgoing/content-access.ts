import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { holdsKey } from '../../identity/access/sight.ts'

/**
 * Whether the caller may read the content of a feed, its blocks and its collection, as a condition on the row of outgoing_feeds with
 * this alias. The owner may, members of its groups may, and, if it has no groups, users who may see everything that can be in it.
 */
export function mayReadContent(ctx: Pick<Context, 'caller'>, alias: string): RawBuilder<SqlBool> {
  const feed = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(
    ${feed('owner')} = ${ctx.caller.id}
    or exists (
      select from outgoing_feed_groups as a join group_users as m on m.source = a.target
      where a.source = ${feed('id')} and m.target = ${ctx.caller.id})
    or (
      not exists (select from outgoing_feed_groups as a where a.source = ${feed('id')})
      and not exists (select from unnest(${feed('keys')}) as k(key) where not ${holdsKey(ctx, sql`k.key`)})))`
}
