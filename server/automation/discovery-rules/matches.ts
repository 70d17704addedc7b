import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { and, resourceOf, visible } from '../../engine/select.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { queryConditions } from '../../intelligence/datasets/dataset-condition.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import type { Clause, Query } from '../../search/query/ast.ts'
import { compileQuery } from '../../search/sql/compile.ts'
import { type Criteria, KEYWORD_FIELDS } from './criteria.ts'

/** The entities that match a rule and that the caller sees, as a condition on the row `t` of entities. */
export async function matches(ctx: Context, criteria: Criteria): Promise<RawBuilder<SqlBool>> {
  const { keywords, entity_types, sources, search_query } = criteria
  return and([
    visible(ctx, resourceOf(ctx, 'entities')),
    // Placeholders have no content.
    sql<SqlBool>`not t.is_unresolved`,
    ...(entity_types.length === 0 ? [] : [sql<SqlBool>`t.type = any(${entity_types}::text[])`]),
    ...(sources.length === 0 ? [] : [isFrom(sources)]),
    ...(keywords.length === 0 ? [] : [await compileQuery(ctx, entityFields, keywordQuery(criteria))]),
    ...(await queryConditions(ctx, search_query, null)),
  ])
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
