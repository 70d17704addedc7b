import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import { holdsAnyKey } from '../../identity/access/sight.ts'
import type { Direction } from './step-fields.ts'

/** The relationships to follow, and their direction. */
export interface Way {
  readonly direction: Direction
  readonly keys?: readonly string[] | undefined
  readonly subtypes?: readonly (string | null)[] | undefined
}

/**
 * Every step along a relationship of a visible source from the entities `id` of a table, as `near`, `far`, `relationship`, `key`,
 * `subtype` and `way`. A relationship is only visible together with both of its ends: those in the table must be visible, and the caller of this
 * function has to check the far ones, each of them once. One query per direction, because each end has its own index.
 */
export function relationshipSteps(ctx: Context, from: string, way: Way): RawBuilder<unknown>[] {
  const isFit = and([holdsAnyKey(ctx, sql`r.vis`), ...conditions(way)])
  const along = (name: 'out' | 'in', near: 'source' | 'target', far: 'source' | 'target') => sql`
    select r.${sql.ref(near)} as near, r.${sql.ref(far)} as far, r.id as relationship, r.key, r.subtype,
      ${sql.lit(name)} as way
    from ${sql.table(from)} as f join relationships as r on r.${sql.ref(near)} = f.id
    where ${isFit}`
  return [
    ...(way.direction === 'in' ? [] : [along('out', 'source', 'target')]),
    ...(way.direction === 'out' ? [] : [along('in', 'target', 'source')]),
  ]
}

/** Whether a step may lead to the entity `t`: it is visible, and has one of the types if any are given. */
export const mayReach = (ctx: Context, types?: readonly string[]): RawBuilder<SqlBool> =>
  and([visible(ctx, resourceOf(ctx, 'entities')), ...(types ? [sql<SqlBool>`t.type = any(${types}::text[])`] : [])])

/** The entities that share an observable with an entity of a table, as `far`, including invisible ones. */
export const sharers = (from: string, observableTypes?: readonly string[]): RawBuilder<unknown> => sql`
  select b.source as far
  from (
    -- Grouped by observable: one that a thousand entities share would make a million pairs.
    select a.target, count(*) as holders, (array_agg(a.source))[1] as holder
    from ${sql.table(from)} as f join entity_observables as a on a.source = f.id
    ${observableTypes ? sql`join observables as o on o.id = a.target and o.type = any(${observableTypes}::text[])` : sql``}
    group by a.target
  ) as h
  join entity_observables as b on b.target = h.target and (h.holders > 1 or b.source <> h.holder)`

/** Every step from the entities of a table to one with the same observable, as `near` and `far`, including invisible ones. */
export const sharingSteps = (from: string): RawBuilder<unknown> => sql`
  select a.source as near, b.source as far
  from ${sql.table(from)} as f
  join entity_observables as a on a.source = f.id
  join entity_observables as b on b.target = a.target and b.source <> a.source`

function conditions({ keys, subtypes }: Way): RawBuilder<SqlBool>[] {
  const named = subtypes?.filter((subtype) => subtype !== null)
  const isNone = subtypes?.includes(null) ? sql`r.subtype is null` : sql`false`
  return [
    ...(keys ? [sql<SqlBool>`r.key = any(${keys}::text[])`] : []),
    ...(named ? [sql<SqlBool>`(r.subtype = any(${named}::text[]) or ${isNone})`] : []),
  ]
}
