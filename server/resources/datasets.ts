import { sql } from 'kysely'
import { z } from 'zod'
import { badRequest } from '../engine/errors.ts'
import { bool, computed, json, link, name, refs, string, text } from '../engine/field.ts'
import { type AnyRow, defineResource, type Item } from '../engine/resource.ts'
import { resourceOf, visible } from '../engine/select.ts'
import { standard } from '../engine/standard.ts'
import { stamps } from './stamps.ts'

const IS_DYNAMIC = 't.search_query is not null or t.relational_query is not null'

/** A query that says nothing is none. */
const query = string().transform((value) => (value.trim() === '' ? null : value))

/** Refuses to put entities into datasets whose entities are found by a query. */
function refuseEntities(items: readonly Item[], rows: readonly AnyRow[]): void {
  const faults = items.flatMap(({ entities }, i) => {
    const isGiven = Array.isArray(entities) && entities.length > 0
    const where = items.length > 1 ? `[${i}].` : ''
    return isGiven && rows[i]?.is_dynamic
      ? [`${where}entities: cannot be set, because the query of the dataset finds them`]
      : []
  })
  if (faults.length > 0) throw badRequest(faults)
}

const operations: typeof standard = {
  ...standard,
  create: async (ctx, resource, item) => {
    const row = await standard.create(ctx, resource, item)
    refuseEntities([item], [row])
    return row
  },
  upsert: async (ctx, resource, items) => {
    const { rows, created } = await standard.upsert(ctx, resource, items)
    refuseEntities(items, rows)
    return { rows, created }
  },
  update: async (ctx, resource, id, patch) => {
    const row = await standard.update(ctx, resource, id, patch)
    refuseEntities([patch], [row])
    return row
  },
}

export const datasets = defineResource({
  collection: 'datasets',
  title: 'Dataset',
  doc: 'Entities that somebody put together, for work or to publish them.',
  key: ['name'],
  permission: 'intel-sets',
  fields: {
    name: name(),
    description: text().nullable(),
    search_query: text().accepts(query).nullable().describe('Makes the dataset dynamic: the query finds its entities.'),
    relational_query: json(z.looseObject({})).nullable(),
    entities: refs('entities', 'dataset_entities').writeOnly(),
    entities_count: computed(
      'integer',
      z.int().nullable(),
      (ctx) => sql`case when ${sql.raw(IS_DYNAMIC)} then null else (
        select count(*)::integer
        from dataset_entities as l join entities as e on e.id = l.target
        where l.source = t.id and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}) end`,
    ).describe('How many of its entities the caller sees; null where a query finds them.'),
    workspaces: refs('workspaces', 'dataset_workspaces')
      .accepts(z.array(link('workspaces')).min(1))
      .required()
      .describe('Whoever sees one of them sees the dataset.'),
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
