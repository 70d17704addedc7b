import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { ApiError, retry } from './errors.ts'
import type { Id } from './reference.ts'
import type { AnyRow, Condition, Context, Item, Resource } from './resource.ts'
import { isAmong, visible } from './select.ts'
import { standard } from './standard.ts'

/** The operations of what some may change and more may see; `refusal` tells all others why they may not. */
export function changedBy(mayChange: Condition, refusal: (row: AnyRow) => string): typeof standard {
  /** Locks the rows `t` that are to be written, and gives their ids; a 403 where the caller may not. */
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
      // Somebody else made one of them after the look at who may change what: run the whole request again.
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
