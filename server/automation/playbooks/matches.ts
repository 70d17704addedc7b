import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { and, idType, resourceOf, visible } from '../../engine/select.ts'
import { fileFields } from '../../exchange/files/search-fields.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import { observableFields } from '../../intelligence/observables/search-fields.ts'
import type { RelationalQuery } from '../../intelligence/relational/relational-query.ts'
import { relationalSet } from '../../intelligence/relational/relational-set.ts'
import { compileQuery, type SearchFields, startQuery } from '../../search/sql/compile.ts'
import { runLookups } from '../../search/sql/lookups.ts'
import type { StartedMatches } from '../owned-queries/compile-owned.ts'
import type { Subject } from './step.ts'
import type { TriggerQueries } from './trigger.ts'

const FIELDS = { entities: entityFields, observables: observableFields, files: fileFields } as const

/** The permission to read the objects of a collection. */
export const READING = { entities: 'read entities', observables: 'read extracts', files: 'read files' } as const

/** Whether the caller sees the row `t` of a collection and it can be the object of a run. */
const isObject = (ctx: Context, collection: Subject['collection']): RawBuilder<SqlBool> => {
  const isSeen = visible(ctx, resourceOf(ctx, collection))
  // Placeholders have no content, and unified entities that of their contributors.
  return collection === 'entities' ? sql`(${isSeen} and not t.is_unresolved and not t.is_unified)` : isSeen
}

/** Starts compiling which objects match queries and are visible to the caller, so that many playbooks can share their look-ups. */
export async function startMatches(
  ctx: Context,
  { collection, query, relational_query }: TriggerQueries,
  ofEntities: SearchFields = entityFields,
): Promise<StartedMatches> {
  const fields = collection === 'entities' ? ofEntities : FIELDS[collection]
  const search = query === null ? undefined : await startQuery(ctx, fields, query)
  const related = relational_query === null ? undefined : await startRelations(ctx, relational_query, ofEntities)
  return {
    lookups: [...(search ? [search.lookups] : []), ...(related?.lookups ?? [])],
    finish: () =>
      and([
        isObject(ctx, collection),
        ...(search ? [search.finish().matches] : []),
        ...(related ? [related.finish()] : []),
      ]),
  }
}

async function startRelations(ctx: Context, query: RelationalQuery, fields: SearchFields): Promise<StartedMatches> {
  const texts = [query.start.query, ...query.hops.map((hop) => hop.query)].filter((text) => text !== undefined)
  const distinct = [...new Set(texts)]
  const started = await Promise.all(distinct.map((text) => startQuery(ctx, fields, text)))
  return {
    lookups: started.map(({ lookups }) => lookups),
    finish: () => {
      const conditions = new Map(distinct.map((text, i) => [text, started[i]?.finish().matches]))
      return sql`t.id in (${relationalSet(ctx, query, (text) => conditions.get(text) ?? sql`false`)})`
    },
  }
}

/** Whether objects match queries and are visible to the caller, as a condition on the row `t`. */
export async function matching(ctx: Context, queries: TriggerQueries): Promise<RawBuilder<SqlBool>> {
  const { lookups, finish } = await startMatches(ctx, queries)
  await runLookups(ctx, lookups)
  return finish()
}

/** Whether an object that the caller sees matches a query. */
export async function matchesQuery(ctx: Context, { collection, id }: Subject, query: string): Promise<boolean> {
  const found = await compileQuery(ctx, FIELDS[collection], query)
  const resource = resourceOf(ctx, collection)
  const { rows } = await sql`
    select from ${sql.table(resource.table)} as t
    where t.id = ${id}::${idType(collection)} and ${isObject(ctx, collection)} and ${found}`.execute(ctx.db)
  return rows.length > 0
}

/** Those of some objects that exist and that the caller sees, in their order. */
export async function visibleObjects(
  ctx: Context,
  collection: Subject['collection'],
  ids: readonly string[],
): Promise<string[]> {
  const { table } = resourceOf(ctx, collection)
  const { rows } = await sql<{ id: string }>`
    select t.id::text as id
    from unnest(${ids}::${idType(collection)}[]) with ordinality as i(id, place) join ${sql.table(table)} as t on t.id = i.id
    where ${isObject(ctx, collection)}
    order by i.place`.execute(ctx.db)
  return rows.map(({ id }) => id)
}
