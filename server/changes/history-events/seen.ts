import { sql } from 'kysely'
import type { Id } from '../../engine/reference.ts'
import type { Context, Resource } from '../../engine/resource.ts'
import { idType, resourceOf } from '../../engine/select.ts'

type Collection = Resource['collection']

/** The objects that may be named, by their keys. */
export type Seen = ReadonlySet<string>

export const keyOf = (collection: Collection, id: Id): string => `${collection} ${id}`

/** Those of the objects that the caller may see; where everybody sees everything, they need not be there any more. */
export async function findSeen(ctx: Context, objects: readonly { to: Collection; id: Id }[]): Promise<Seen> {
  const groups = [...Map.groupBy(objects, ({ to }) => to)]
  const open = groups.filter(([to]) => !resourceOf(ctx, to).visible)
  const lookups = groups.flatMap(([to, group]) => {
    const target = resourceOf(ctx, to)
    if (!target.visible) return []
    const ids = [...new Set(group.map(({ id }) => id))]
    return [
      sql`select ${to}::text as collection, o.id::text as id from ${sql.table(target.table)} as o
        where o.id = any(${ids}::${idType(to)}[]) and ${target.visible(ctx, 'o')}`,
    ]
  })
  const known = open.flatMap(([to, group]) => group.map(({ id }) => keyOf(to, id)))
  if (lookups.length === 0) return new Set(known)
  const { rows } = await sql<{ collection: Collection; id: string }>`
    ${sql.join(lookups, sql` union all `)}`.execute(ctx.db)
  return new Set([...known, ...rows.map(({ collection, id }) => keyOf(collection, id))])
}
