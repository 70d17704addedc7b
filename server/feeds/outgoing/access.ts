import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/resource.ts'
import { holdsKey } from '../../identity/access/sight.ts'

/**
 * Whether the caller may read what a feed made, its blocks and its collection, as a condition on the row of outgoing_feeds that
 * goes by an alias: its owner, members of its groups, and, where it has none, whoever may see all that can be in it.
 */
export function mayRead(ctx: Pick<Context, 'caller'>, alias: string): RawBuilder<SqlBool> {
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
