import { sql } from 'kysely'
import { z } from 'zod'
import { itemPrefix } from '../../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { bool, computed, json, name, refs, text } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import type { ListPlan } from '../../engine/list-plan.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { standard } from '../../engine/standard.ts'
import { storedQuery, storedRelations } from '../queries/stored-query.ts'
import { countEntities, type DatasetQuery } from './dataset-condition.ts'

const IS_DYNAMIC = 't.search_query is not null or t.relational_query is not null'

/** Adds the number of entities to dynamic datasets. */
async function withCounts<R extends AnyRow>(ctx: Context, rows: readonly R[]): Promise<R[]> {
  const dynamic = rows.filter((row) => row.is_dynamic && row.entities_count !== undefined)
  const counts = await countEntities(ctx, dynamic as unknown as DatasetQuery[])
  return rows.map((row) => (counts.has(row.id) ? { ...row, entities_count: counts.get(row.id) } : row))
}

const withCount = async (ctx: Context, row: AnyRow): Promise<AnyRow> => (await withCounts(ctx, [row]))[0] ?? row

/** Reads the queries as well when the count is requested, because it depends on them. */
const withQueries = (plan: ListPlan): ListPlan =>
  plan.attributes?.includes('entities_count')
    ? { ...plan, attributes: [...plan.attributes, 'is_dynamic', 'search_query', 'relational_query'] }
    : plan

/** Refuses to assign entities to dynamic datasets. */
function refuseEntities(items: readonly Item[], rows: readonly AnyRow[]): void {
  const faults = items.flatMap(({ entities }, i) => {
    const isGiven = Array.isArray(entities) && entities.length > 0
    return isGiven && rows[i]?.is_dynamic
      ? [`${itemPrefix(items, i)}entities: cannot be set, because the query of the dataset determines them`]
      : []
  })
  if (faults.length > 0) throw badRequest(faults)
}

const operations: typeof standard = {
  ...standard,
  list: async (ctx, resource, plan) => {
    const page = await standard.list(ctx, resource, withQueries(plan))
    return { ...page, rows: await withCounts(ctx, page.rows) }
  },
  get: async (ctx, resource, id) => withCount(ctx, await standard.get(ctx, resource, id)),
  create: async (ctx, resource, item) => {
    const row = await standard.create(ctx, resource, item)
    refuseEntities([item], [row])
    return withCount(ctx, row)
  },
  upsert: async (ctx, resource, items) => {
    const { rows, created } = await standard.upsert(ctx, resource, items)
    refuseEntities(items, rows)
    return { rows: await withCounts(ctx, rows), created }
  },
  update: async (ctx, resource, id, patch) => {
    const row = await standard.update(ctx, resource, id, patch)
    refuseEntities([patch], [row])
    return withCount(ctx, row)
  },
}

export const datasets = defineResource({
  collection: 'datasets',
  title: 'Dataset',
  doc: 'A set of entities, compiled by hand or by a query, to work on or to publish.',
  key: ['name'],
  permission: 'intel-sets',
  fields: {
    name: name(),
    description: text().nullable(),
    search_query: text()
      .accepts(storedQuery)
      .nullable()
      .describe('Makes the dataset dynamic: it contains the entities that match this query.'),
    relational_query: json(storedRelations)
      .nullable()
      .describe('Makes the dataset dynamic: it contains the entities that these relations lead to.'),
    entities: refs('entities', 'dataset_entities').writeOnly(),
    entities_count: computed(
      'integer',
      z.int(),
      (ctx) => sql`case when ${sql.raw(IS_DYNAMIC)} then null else (
        select count(*)::integer
        from dataset_entities as l join entities as e on e.id = l.target
        where l.source = t.id and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}) end`,
    ).describe('The number of its entities that you can see.'),
    workspaces: refs('workspaces', 'dataset_workspaces')
      .accepts(z.array(link('workspaces')).min(1))
      .required()
      .describe('Users who can see one of these workspaces can see the dataset.'),
    is_favorite: bool().default(false),
    is_dynamic: computed('boolean', z.boolean(), IS_DYNAMIC),
    is_relational: computed('boolean', z.boolean(), 't.relational_query is not null'),
    ...stamps,
  },
  example: { name: 'Watch list', workspaces: [1] },
  visible: (ctx, t) => sql`exists (
    select from dataset_workspaces as v join workspaces as w on w.id = v.target
    where v.source = ${sql.ref(`${t}.id`)} and ${visible(ctx, resourceOf(ctx, 'workspaces'), 'w')})`,
  operations,
})
