import { type RawBuilder, sql } from 'kysely'
import { type Collection, collections } from '../../collections.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'

/** The members of outputs that are ids of objects: one id, or a list. */
const OBJECTS = {
  entity: 'entities',
  ticket: 'tickets',
  detonations: 'detonations',
  export_block: 'export_blocks',
  malicious_observables: 'observables',
} as const satisfies Readonly<Record<string, Collection>>

/**
 * The output of the step `s` without the ids of objects that the caller does not see: a user who sees the object of a run may
 * not see what its steps made of it. A single id becomes null, and a list keeps the others.
 */
export const shownOutput = (ctx: Context): RawBuilder<unknown> => sql`(
  select jsonb_object_agg(o.name, case
    ${sql.join(
      Object.entries(OBJECTS).map(([name, to]) => sql`when o.name = ${sql.lit(name)} then ${shownIds(ctx, to)}`),
      sql` `,
    )}
    else o.value end)
  from jsonb_each(s.output) as o(name, value))`

const shownIds = (ctx: Context, to: Collection): RawBuilder<unknown> => sql`
  case jsonb_typeof(o.value)
    when 'array' then (
      select coalesce(jsonb_agg(i.id order by i.place), '[]')
      from jsonb_array_elements(o.value) with ordinality as i(id, place)
      where ${isSeen(ctx, to, sql`i.id`)})
    else case when ${isSeen(ctx, to, sql`o.value`)} then o.value else 'null' end end`

function isSeen(ctx: Context, to: Collection, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const resource = resourceOf(ctx, to)
  // A name that no condition of others has.
  const alias = `put_out_${to}`
  return sql`exists (
    select from ${sql.table(resource.table)} as ${sql.ref(alias)}
    where ${sql.ref(`${alias}.id`)} = (${id} #>> '{}')::${sql.raw(collections[to].id)} and ${visible(ctx, resource, alias)})`
}
