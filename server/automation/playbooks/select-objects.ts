import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import { link } from '../../engine/link.ts'
import { resourceOf } from '../../engine/select.ts'
import { storedQuery, storedRelations } from '../../intelligence/queries/stored-query.ts'
import { matching, READING, visibleObjects } from './matches.ts'
import { OBJECT_COLLECTIONS, type Subject } from './step.ts'
import { MAX_SCHEDULED, type TriggerQueries } from './trigger.ts'

const idsOf = (to: Subject['collection']) =>
  z
    .array(link(to).transform(({ id }) => String(id)))
    .max(MAX_SCHEDULED)
    .default([])

/** What the body of a run selects: objects, or those that a query finds. */
export const selection = {
  entities: idsOf('entities'),
  observables: idsOf('observables'),
  files: idsOf('files'),
  query: storedQuery.nullable().default(null).describe('Selects objects of the collection of the trigger.'),
  entities_query: storedQuery.nullable().default(null).describe('The same as `query`, for entities.'),
  relational_query: storedRelations.nullable().default(null).describe('Selects entities by their relations.'),
  most: z
    .int()
    .min(1)
    .max(MAX_SCHEDULED)
    .default(100)
    .describe('How many of the objects that a query finds are taken.'),
}

export type Selected = z.output<z.ZodObject<typeof selection>>

/** The ids of the selected objects that the caller sees. Responds 400 to others, and to objects of another collection. */
export async function selectObjects(
  ctx: Context,
  collection: Subject['collection'],
  given: Selected,
): Promise<readonly string[]> {
  refuseOthers(collection, given)
  const ids = [...new Set(given[collection])]
  const seen = new Set(await visibleObjects(ctx, collection, ids))
  const unseen = given[collection].flatMap((id, i) =>
    seen.has(id) ? [] : [`data.${collection}[${i}]: there is no '${id}' in ${collection}.`],
  )
  if (unseen.length > 0) throw badRequest(unseen)
  const query = given.query ?? given.entities_query
  if (query === null && given.relational_query === null) return ids
  const queries = { collection, query, relational_query: given.relational_query }
  return [...new Set([...ids, ...(await findObjects(ctx, queries, given.most))])]
}

function refuseOthers(collection: Subject['collection'], given: Selected): void {
  const faults = OBJECT_COLLECTIONS.flatMap((each) =>
    each !== collection && given[each].length > 0
      ? [`data.${each}: must be empty, because the playbook is about ${collection}`]
      : [],
  )
  const isOfEntities = given.entities_query !== null || given.relational_query !== null
  if (isOfEntities && collection !== 'entities')
    faults.push(`data.entities_query: must be null, because the playbook is about ${collection}`)
  if (given.query !== null && given.entities_query !== null)
    faults.push('data.entities_query: must be null if there is a query')
  const hasQuery = given.query !== null || isOfEntities
  if (faults.length === 0 && given[collection].length === 0 && !hasQuery)
    faults.push(`data.${collection}: is required, unless there is a query`)
  if (faults.length > 0) throw badRequest(faults)
}

/** The newest objects that match queries and that the caller sees. */
export async function findObjects(
  ctx: Context,
  queries: TriggerQueries,
  most: number,
  more = sql`true`,
): Promise<readonly string[]> {
  if (!ctx.caller.permissions.has(READING[queries.collection])) return []
  const { table } = resourceOf(ctx, queries.collection)
  const { rows } = await sql<{ id: string }>`
    select t.id::text as id
    from ${sql.table(table)} as t
    where ${await matching(ctx, queries)} and ${more}
    order by t.id desc
    limit ${most}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}
