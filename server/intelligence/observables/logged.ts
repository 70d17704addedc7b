import { type RawBuilder, sql } from 'kysely'
import { AUTHOR, type Author, authorOf } from '../../engine/log.ts'

/**
 * The part of a statement that logs changes of observables. The rows have an `id` and the `vis` of the record or entity that was
 * written. Only users who hold this key see the change, because others must not learn that the observable is known elsewhere.
 */
export const loggedByKey = (
  ctx: Author,
  kind: 'create' | 'update',
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into changes (${AUTHOR}, resource, kind, ids, keys)
  select ${authorOf(ctx)}, 'observables', ${kind}::text, array_agg(c.id::text order by c.id),
    jsonb_agg(c.keys order by c.id)
  from (
    select c.id, jsonb_build_array(jsonb_agg(distinct c.vis)) as keys from ${rows} as c group by c.id
  ) as c
  having count(*) > 0`

/** Logs updates whose rows also have a `diff`, with one row per key, because a diff must only be visible under its own key. */
export const loggedDiffs = (ctx: Author, rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into changes (${AUTHOR}, resource, kind, ids, details, keys)
  select ${authorOf(ctx)}, 'observables', 'update', array_agg(c.id::text order by c.id),
    jsonb_object_agg(c.id::text, c.diff), jsonb_agg(jsonb_build_array(jsonb_build_array(c.vis)))
  from ${rows} as c
  group by c.vis
  order by c.vis`
