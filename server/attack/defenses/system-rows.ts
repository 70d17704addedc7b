import { sql } from 'kysely'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { conflict } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { isAmong } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'

/** The standard operations, except that rows of frameworks are read-only: the next version would write over them. */
export const ownOperations: typeof standard = {
  ...standard,
  upsert: async (ctx, resource, items) => {
    const written = await standard.upsert(ctx, resource, items)
    // The error undoes the write.
    refuse(
      written.rows.flatMap(({ id, is_system }, i) =>
        is_system ? [`${itemPrefix(items, i)}${named(resource, id)}`] : [],
      ),
    )
    return written
  },
  update: async (ctx, resource, id, patch) => {
    await requireOwn(ctx, resource, [id])
    return standard.update(ctx, resource, id, patch)
  },
  remove: async (ctx, resource, ids) => {
    await requireOwn(ctx, resource, ids)
    return standard.remove(ctx, resource, ids)
  },
}

const MAX_NAMED = 100

/** Refuses rows of frameworks among these. */
async function requireOwn(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql<{ id: Id }>`
    select t.id from ${sql.table(resource.table)} as t
    where ${isAmong(resource.collection, ids)} and t.is_system
    order by t.id
    limit ${MAX_NAMED}`.execute(ctx.db)
  refuse(rows.map(({ id }) => named(resource, id)))
}

const named = ({ title }: Resource, id: Id): string => `${title} ${id}`

function refuse(system: readonly string[]): void {
  if (system.length > 0)
    throw conflict(
      system
        .slice(0, MAX_NAMED)
        .map((each) => `${each} belongs to an attack framework and cannot be changed or deleted.`),
    )
}
