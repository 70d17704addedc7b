import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { holdsKey, seesSource } from '../../auth/sight.ts'
import type { Context } from '../../engine/resource.ts'

/** Visible entities of the observable `t`, to be followed by a condition. */
const itsEntities = (ctx: Context, t = 't'): RawBuilder<unknown> => sql`
  from entity_observables as v join entities as e on e.id = v.source
  where v.target = ${sql.ref(`${t}.id`)} and ${holdsKey(ctx, sql`e.vis`)}`

/** An observable is seen through one of its own sources, or through an entity. */
export const isVisible = (ctx: Context, t: string): RawBuilder<SqlBool> => sql`(
  exists (select ${itsEntities(ctx, t)})
  or exists (
    select from observable_sources as v
    where v.source = ${sql.ref(`${t}.id`)} and ${seesSource(ctx, sql`v.target`)}))`

/** Its own sources and those of its entities, as far as the caller may see them. */
export const itsSources = (ctx: Context): RawBuilder<unknown> => sql`
  select v.target as id from observable_sources as v
  where v.source = t.id and ${seesSource(ctx, sql`v.target`)}
  union
  select s.id from sources as s where s.number in (select e.vis >> 3 ${itsEntities(ctx)})`
