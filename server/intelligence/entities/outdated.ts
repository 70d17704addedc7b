import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf, visible } from '../../engine/select.ts'

/** Whether an entity that the caller can see updates the entity `t`. */
export const isOutdated = (ctx: Context): RawBuilder<SqlBool> => sql`(t.is_outdated and exists (
  select from relationships as r
  where r.target = t.id and r.subtype = 'stix_update_of' and ${visible(ctx, resourceOf(ctx, 'relationships'), 'r')}))`

/** Marks those of these entities that others update. Very few are, so that only marked ones need the full check. */
export async function markOutdated(ctx: Context, ids: readonly Id[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update entities as t
    set is_outdated = not t.is_outdated
    where t.id = any(${ids}::uuid[]) and t.is_outdated <> exists (
      select from relationships as r where r.target = t.id and r.subtype = 'stix_update_of')`.execute(ctx.db)
}
