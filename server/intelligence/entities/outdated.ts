import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Id } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'

/** Whether another entity updates the entity `t`, as far as the caller may know. */
export const isOutdated = (ctx: Context): RawBuilder<SqlBool> => sql`(t.is_outdated and exists (
  select from relationships as r
  where r.target = t.id and r.subtype = 'stix_update_of' and ${visible(ctx, resourceOf(ctx, 'relationships'), 'r')}))`

/** Notes which of these entities others update: hardly any is updated, and only those are looked at closely. */
export async function markOutdated(ctx: Context, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update entities as t
    set is_outdated = not t.is_outdated
    where t.id = any(${ids}::uuid[]) and t.is_outdated <> exists (
      select from relationships as r where r.target = t.id and r.subtype = 'stix_update_of')`.execute(ctx.db)
}
