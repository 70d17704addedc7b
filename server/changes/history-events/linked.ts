import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { idType, resourceOf, visible } from '../../engine/select.ts'

type Collection = Resource['collection']

/** The fields of a resource that link to objects that not all users see, and their collections. */
export function guardedLinks(ctx: Context, { fields }: Resource): { name: string; to: Collection }[] {
  return Object.entries(fields).flatMap(
    ([
      name,
      {
        props: { storage },
      },
    ]) =>
      storage.kind === 'refs' && !storage.isSeenWithOwner && resourceOf(ctx, storage.to).visibility
        ? [{ name, to: storage.to }]
        : [],
  )
}

/** Whether an update changed something that the caller may see, by the columns of its event. */
export function hasSeenChange(
  ctx: Context,
  resource: Resource,
  row: (column: string) => RawBuilder<unknown>,
): RawBuilder<SqlBool>[] {
  const guarded = guardedLinks(ctx, resource)
  if (guarded.length === 0) return []
  const branches = guarded.map(({ name, to }) => sql`when ${name} then ${leadsToSeen(ctx, to)}`)
  return [
    sql`(
      ${row('kind')} <> 'update' or coalesce(${row('details')}, '{}') = '{}'
      or exists (
        select from jsonb_each(${row('details')}) as d(field, pair)
        where case d.field ${sql.join(branches, sql` `)} else true end))`,
  ]
}

/** Whether one of the removed or added links in `d.pair` leads to an object that the caller sees. */
function leadsToSeen(ctx: Context, to: Collection): RawBuilder<SqlBool> {
  const target = resourceOf(ctx, to)
  // A link with an attribute is a pair of id and attribute.
  const linked = sql`case jsonb_typeof(k.link) when 'array' then k.link ->> 0 else k.link #>> '{}' end`
  return sql`exists (
    select from jsonb_array_elements(d.pair) as side(links)
    cross join lateral jsonb_array_elements(
      case jsonb_typeof(side.links) when 'array' then side.links else '[]' end) as k(link)
    join ${sql.table(target.table)} as o on o.id = (${linked})::${idType(to)}
    where ${visible(ctx, target, 'o')})`
}
