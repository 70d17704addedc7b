import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AnyRow, Context, Item } from './context.ts'
import type { Condition, Resource } from './definition.ts'
import { ApiError, retry } from './errors.ts'
import type { Id } from './reference.ts'
import { isAmong, visible } from './select.ts'
import { standard } from './standard.ts'

/** Operations on objects that only some of their readers may change; `refusal` is the error for the others. */
export function changedBy(mayChange: Condition, refusal: (row: AnyRow) => string): typeof standard {
  /** Locks the rows `t` to be written and returns their ids. Responds with 403 if the caller may not change one of them. */
  const claim = async (ctx: Context, resource: Resource, written: RawBuilder<SqlBool>): Promise<ReadonlySet<Id>> => {
    const { rows } = await sql<AnyRow & { may_change: boolean | null }>`
      select t.*, ${mayChange(ctx, 't')} as may_change
      from ${sql.table(resource.table)} as t
      where ${written} and ${visible(ctx, resource)}
      order by t.name
      for update of t`.execute(ctx.db)
    const refused = rows.filter(({ may_change }) => !may_change)
    if (refused.length > 0) throw new ApiError(403, refused.map(refusal))
    return new Set(rows.map(({ id }) => id))
  }

  return {
    ...standard,
    upsert: async (ctx, resource, items: Item[]) => {
      const names = items.map(({ name }) => name)
      const claimed = await claim(ctx, resource, sql`t.name = any(${names}::text[])`)
      const written = await standard.upsert(ctx, resource, items)
      // Another request created one of them after the check: run the whole request again.
      if (written.rows.some(({ id, created_by }) => !claimed.has(id) && created_by !== ctx.caller.id))
        throw retry('A row appeared during the upsert.')
      return written
    },
    update: async (ctx, resource, id, patch) => {
      await claim(ctx, resource, isAmong(resource.collection, [id]))
      return standard.update(ctx, resource, id, patch)
    },
    remove: async (ctx, resource, ids) => {
      await claim(ctx, resource, isAmong(resource.collection, ids))
      await standard.remove(ctx, resource, ids)
    },
  }
}
