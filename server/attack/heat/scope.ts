import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { ListPlan } from '../../engine/list-plan.ts'
import type { Id } from '../../engine/reference.ts'
import { and, matches, remaining, visible } from '../../engine/select.ts'
import { inDatasets } from '../../intelligence/datasets/dataset-condition.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import { compileQuery } from '../../search/sql/compile.ts'

/** Entities that are named, or are in one of these datasets. */
export interface Scope {
  readonly datasets: readonly Id[]
  readonly entities: readonly Id[]
}

/** Which entities count: those that a list would have, and that are in all scopes. */
export interface Counted {
  readonly list: Pick<ListPlan, 'query' | 'filters' | 'reduction'>
  readonly scopes: readonly Scope[]
}

/** Whether the caller sees the entity `t` and it counts. */
export async function isCounted(ctx: Context, counted: Counted): Promise<RawBuilder<SqlBool>> {
  const matching = await conditionsOf(ctx, counted)
  return and([visible(ctx, entities), ...matching, ...remaining(ctx, entities, counted.list.reduction, matching)])
}

/** What an entity `t` must meet to count, apart from the consolidation. */
export const conditionsOf = async (ctx: Context, { list, scopes }: Counted): Promise<RawBuilder<SqlBool>[]> => [
  ...(list.query === null ? [] : [await compileQuery(ctx, entityFields, list.query)]),
  ...(await Promise.all(list.filters.map((filter) => matches(ctx, entities, filter)))),
  ...(await Promise.all(scopes.map((scope) => isWithin(ctx, scope)))),
]

/** Whether the entity `t` is in a scope. */
export async function isWithin(ctx: Context, { datasets, entities: ids }: Scope): Promise<RawBuilder<SqlBool>> {
  const either = [
    ...(datasets.length === 0 ? [] : [await inDatasets(ctx, datasets)]),
    ...(ids.length === 0 ? [] : [sql<SqlBool>`t.id = any(${ids}::uuid[])`]),
  ]
  return either.length === 0 ? sql`true` : sql`(${sql.join(either, sql` or `)})`
}
