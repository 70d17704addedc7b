import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { ListPlan } from '../../engine/list-plan.ts'
import type { Id } from '../../engine/reference.ts'
import { and, matches, remaining, visible } from '../../engine/select.ts'
import { inDatasets } from '../../intelligence/datasets/dataset-condition.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import { memberships } from '../../intelligence/entities/unified.ts'
import { relationshipSteps } from '../../intelligence/relational/steps.ts'
import { compileQuery } from '../../search/sql/compile.ts'

/** Entities that are named, or are in one of these datasets. */
export interface Scope {
  readonly datasets: readonly Id[]
  readonly entities: readonly Id[]
}

/** Which entities count: those that the query and all scopes choose, and that the filters and the consolidation leave. */
export interface Counted {
  readonly list: Pick<ListPlan, 'query' | 'filters' | 'reduction'>
  readonly scopes: readonly Scope[]
  /** Whether what the chosen entities have a relationship with counts as well. */
  readonly relations: boolean
}

/** Whether the caller sees the entity `t` and it counts. */
export async function isCounted(ctx: Context, counted: Counted): Promise<RawBuilder<SqlBool>> {
  const matching = await conditionsOf(ctx, counted)
  return and([visible(ctx, entities), ...matching, ...remaining(ctx, entities, counted.list.reduction, matching)])
}

/** What an entity `t` must meet to count, apart from the consolidation. */
export const conditionsOf = async (ctx: Context, counted: Counted): Promise<RawBuilder<SqlBool>[]> => [
  ...(await isChosen(ctx, counted)),
  ...(await Promise.all(counted.list.filters.map((filter) => matches(ctx, entities, filter)))),
]

/** What an entity `t` must meet to be chosen, or to be related to one that is. */
export async function isChosen(ctx: Context, { list, scopes, relations }: Counted): Promise<RawBuilder<SqlBool>[]> {
  const chosen = [
    ...(list.query === null ? [] : [await compileQuery(ctx, entityFields, list.query)]),
    ...(await Promise.all(scopes.map((scope) => isWithin(ctx, scope)))),
  ]
  return relations && chosen.length > 0 ? [isReached(ctx, chosen)] : chosen
}

/**
 * Whether the entity `t` is chosen, or is at the other end of a relationship of one that is; the caller checks that it is visible. A unified entity has
 * the relationships of its contributors, at either end.
 */
const isReached = (ctx: Context, chosen: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> => sql`
  t.id in (
    with chosen as materialized (select t.id from entities as t where ${and([visible(ctx, entities), ...chosen])}),
    near as materialized (
      select id from chosen
      union
      select m.entity from chosen as c join ${memberships(ctx)} as m on m.unified = c.id
    ),
    far as materialized (
      ${sql.join(
        relationshipSteps(ctx, 'near', { direction: 'any' }).map((steps) => sql`select far as id from (${steps}) as w`),
        sql` union `,
      )}
    )
    select id from chosen
    union
    select id from far
    union
    select m.unified from far as f join ${memberships(ctx)} as m on m.entity = f.id
  )`

/** Whether the entity `t` is in a scope. */
async function isWithin(ctx: Context, { datasets, entities: ids }: Scope): Promise<RawBuilder<SqlBool>> {
  const either = [
    ...(datasets.length === 0 ? [] : [await inDatasets(ctx, datasets)]),
    ...(ids.length === 0 ? [] : [sql<SqlBool>`t.id = any(${ids}::uuid[])`]),
  ]
  return either.length === 0 ? sql`true` : sql`(${sql.join(either, sql` or `)})`
}
