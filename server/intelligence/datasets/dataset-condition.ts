import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import { type Asking, compileQuery } from '../../search/sql/compile.ts'
import { entityFields } from '../entities/search-fields.ts'
import type { RelationalQuery } from '../relational/relational-query.ts'
import { relationalSet } from '../relational/relational-set.ts'

/** The queries that determine the entities of a dataset. Both are null for a static dataset. */
export interface DatasetQuery {
  readonly id: Id
  readonly search_query: string | null
  readonly relational_query: RelationalQuery | null
}

/** Datasets whose queries are being compiled: a query that refers back to one of them would never end. */
type Passed = ReadonlySet<Id>

/** Whether the entity `t` is in one of these datasets that the caller can see. */
export async function inDatasets(
  ctx: Context,
  ids: readonly Id[],
  passed: Passed = new Set(),
): Promise<RawBuilder<SqlBool>> {
  const conditions = (await datasetConditions(ctx, ids, passed)).map(({ isIn }) => isIn)
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`
}

/** Those of these datasets that the caller can see, each with whether the entity `t` is in it. */
export async function datasetConditions(
  ctx: Context,
  ids: readonly Id[],
  passed: Passed = new Set(),
): Promise<{ readonly id: Id; readonly name: string; readonly isIn: RawBuilder<SqlBool> }[]> {
  const { rows } = await sql<DatasetQuery & { name: string }>`
    select t.id, t.name, t.search_query, t.relational_query
    from datasets as t
    where t.id = any(${ids}::integer[]) and ${visible(ctx, resourceOf(ctx, 'datasets'))}`.execute(ctx.db)
  const others = rows.filter(({ id }) => !passed.has(id))
  return Promise.all(
    others.map(async (row) => ({ id: row.id, name: row.name, isIn: await datasetCondition(ctx, row, passed) })),
  )
}

/** Whether the entity `t` is in a dataset, static or dynamic. */
async function datasetCondition(ctx: Context, dataset: DatasetQuery, passed: Passed): Promise<RawBuilder<SqlBool>> {
  const { id, search_query, relational_query } = dataset
  const found = await queryConditions(ctx, search_query, relational_query, new Set([...passed, id]))
  if (found.length > 0) return sql`(${and(found)})`
  return sql`t.id in (select l.target from dataset_entities as l where l.source = ${id})`
}

/** Whether the entity `t` was added to one of these datasets, and not found by its query. */
export const isMember = (ids: readonly Id[]): RawBuilder<SqlBool> => sql`t.id in (
  select l.target
  from dataset_entities as l join datasets as d on d.id = l.source
  where d.id = any(${ids}::integer[]) and d.search_query is null and d.relational_query is null)`

/** Compiles a query and a relational query to conditions on the entity `t`. Either may be null. */
export async function queryConditions(
  ctx: Asking,
  search: string | null,
  relations: RelationalQuery | null,
  passed: Passed = new Set(),
): Promise<RawBuilder<SqlBool>[]> {
  return [
    ...(search === null ? [] : [await compileQuery(ctx, entityFields, search)]),
    ...(relations === null ? [] : [await relationalCondition(ctx, relations, passed)]),
  ]
}

/** Whether a relational query reaches the entity `t`. */
async function relationalCondition(ctx: Context, query: RelationalQuery, passed: Passed): Promise<RawBuilder<SqlBool>> {
  const { start, hops } = query
  const texts = [start.query, ...hops.map((hop) => hop.query)].filter((text) => text !== undefined)
  const conditions = await Promise.all([...new Set(texts)].map((text) => compileQuery(ctx, entityFields, text)))
  const byText = new Map([...new Set(texts)].map((text, i) => [text, conditions[i]]))
  const isStart = start.datasets ? await inDatasets(ctx, start.datasets, passed) : sql<SqlBool>`true`
  const reached = relationalSet(
    ctx,
    query,
    (text) => byText.get(text) ?? sql`false`,
    () => isStart,
  )
  return sql`t.id in (${reached})`
}

/** Counts the visible entities of each dataset in a single statement. */
export async function countEntities(ctx: Context, datasets: readonly DatasetQuery[]): Promise<Map<Id, number>> {
  if (datasets.length === 0) return new Map()
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  const conditions = await Promise.all(datasets.map((dataset) => datasetCondition(ctx, dataset, new Set())))
  const counts = conditions.map((found) => sql`(select count(*) from entities as t where ${isSeen} and ${found})`)
  const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts`.execute(ctx.db)
  return new Map(datasets.map(({ id }, i) => [id, rows[0]?.counts[i] ?? 0]))
}
