import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import type { Id } from '../../engine/reference.ts'
import { idType, resourceOf, visible } from '../../engine/select.ts'

type Collection = Resource['collection']

/** The keys of objects that the caller may see. */
export type Seen = ReadonlySet<string>

/** The key of an object among those of all collections. */
export const keyOf = (collection: Collection, id: Id): string => `${collection} ${id}`

/** The objects among these that the caller may see. In collections that are visible to all users, deleted ones are included. */
export async function findSeen(ctx: Context, objects: readonly { to: Collection; id: Id }[]): Promise<Seen> {
  const groups = [...Map.groupBy(objects, ({ to }) => to)]
  const open = groups.filter(([to]) => !resourceOf(ctx, to).visibility)
  const lookups = groups.flatMap(([to, group]) => {
    const target = resourceOf(ctx, to)
    if (!target.visibility) return []
    const ids = [...new Set(group.map(({ id }) => id))]
    return [
      sql`select ${to}::text as collection, o.id::text as id from ${sql.table(target.table)} as o
        where o.id = any(${ids}::${idType(to)}[]) and ${visible(ctx, target, 'o')}`,
    ]
  })
  const known = open.flatMap(([to, group]) => group.map(({ id }) => keyOf(to, id)))
  if (lookups.length === 0) return new Set(known)
  const { rows } = await sql<{ collection: Collection; id: string }>`
    ${sql.join(lookups, sql` union all `)}`.execute(ctx.db)
  return new Set([...known, ...rows.map(({ collection, id }) => keyOf(collection, id))])
}
