import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import type { Clause, Query } from '../../search/query/ast.ts'
import { type SearchFields, startQuery } from '../../search/sql/compile.ts'
import { runLookups } from '../../search/sql/lookups.ts'
import type { StartedMatches } from '../owned-queries/compile-owned.ts'
import { type Criteria, KEYWORD_FIELDS } from './criteria.ts'

/** Starts compiling which entities match a rule and are visible to the caller, so that many rules can share their look-ups. */
export async function startMatches(
  ctx: Context,
  criteria: Criteria,
  fields: SearchFields = entityFields,
): Promise<StartedMatches> {
  const { keywords, entity_types, sources, search_query } = criteria
  const queries = [...(keywords.length === 0 ? [] : [keywordQuery(criteria)]), ...(search_query ? [search_query] : [])]
  const started = await Promise.all(queries.map((query) => startQuery(ctx, fields, query)))
  return {
    lookups: started.map(({ lookups }) => lookups),
    finish: () =>
      and([
        visible(ctx, resourceOf(ctx, 'entities')),
        // Placeholders have no content, and unified entities that of their contributors.
        sql<SqlBool>`not t.is_unresolved and not t.is_unified`,
        ...(entity_types.length === 0 ? [] : [sql<SqlBool>`t.type = any(${entity_types}::text[])`]),
        ...(sources.length === 0 ? [] : [isFrom(sources)]),
        ...started.map(({ finish }) => finish().matches),
      ]),
  }
}

/** The entities that match a rule and that the caller sees, as a condition on the row `t` of entities. */
export async function matches(ctx: Context, criteria: Criteria): Promise<RawBuilder<SqlBool>> {
  const { lookups, finish } = await startMatches(ctx, criteria)
  await runLookups(ctx, lookups)
  return finish()
}

const isFrom = (sources: readonly string[]): RawBuilder<SqlBool> =>
  sql`${sourceOf(sql`t.vis`)} in (select s.number from sources as s where s.id = any(${sources}::uuid[]))`

/** Keywords as a query: each is a phrase. */
const keywordQuery = ({ keywords, match_keywords_in }: Criteria): Query => ({
  kind: 'bool',
  clauses: keywords.flatMap((text) =>
    match_keywords_in.map((field): Clause => {
      const query: Query = { kind: 'phrase', field: KEYWORD_FIELDS[field], text, slop: 0 }
      return { occur: 'should', query }
    }),
  ),
})
