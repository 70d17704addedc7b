import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Id } from '../../engine/reference.ts'
import type { Context } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { compileQuery } from './compile.ts'
import { entityFields } from './entity-fields.ts'

/** What decides which entities are in a dataset. */
export interface DatasetQuery {
  readonly id: Id
  readonly search_query: string | null
  readonly relational_query: unknown
}

/** Whether the entity `t` is in one of these datasets, as far as the caller may see them. */
export async function inDatasets(ctx: Context, ids: readonly string[]): Promise<RawBuilder<SqlBool>> {
  const { rows } = await sql<DatasetQuery>`
    select t.id, t.search_query, t.relational_query
    from datasets as t
    where t.id = any(${ids}::integer[]) and ${visible(ctx, resourceOf(ctx, 'datasets'))}`.execute(ctx.db)
  if (rows.length === 0) return sql`false`
  return sql`(${sql.join(await Promise.all(rows.map((row) => datasetCondition(ctx, row))), sql` or `)})`
}

/** Whether the entity `t` is in a dataset: the one it was put into, or the one whose query finds it. */
export async function datasetCondition(ctx: Context, dataset: DatasetQuery): Promise<RawBuilder<SqlBool>> {
  if (dataset.search_query !== null) return compileQuery(ctx, entityFields, dataset.search_query)
  return sql`t.id in (select l.target from dataset_entities as l where l.source = ${dataset.id})`
}

/** How many entities that the caller may see are in each of these datasets, all in one statement. */
export async function countEntities(ctx: Context, datasets: readonly DatasetQuery[]): Promise<Map<Id, number>> {
  if (datasets.length === 0) return new Map()
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  const conditions = await Promise.all(datasets.map((dataset) => datasetCondition(ctx, dataset)))
  const counts = conditions.map((found) => sql`(select count(*) from entities as t where ${isSeen} and ${found})`)
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(ctx.db)
  return new Map(datasets.map(({ id }, i) => [id, rows[0]?.counts[i] ?? 0]))
}
