import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import type { Query } from '../../../search/query/ast.ts'
import { documentPath } from '../../../search/sql/columns.ts'
import { type SearchFields, startQuery } from '../../../search/sql/compile.ts'
import { skipLookups } from '../../../search/sql/lookups.ts'
import { entityFields } from '../../entities/search-fields.ts'

/** The search fields of trees: values of the data are compared as a whole, not by their words. */
const wholeValues: SearchFields = {
  ...entityFields,
  field: (search, name) =>
    name.startsWith('data.')
      ? documentPath(sql`t.data`, search, name.slice('data.'.length))
      : entityFields.field(search, name),
}

/**
 * Compiles criteria to a condition on the row `t` of entities. Nothing is looked up, because the entities are not stored yet: patterns and
 * observables are compared with the rows themselves.
 */
export async function compileCriteria(ctx: Context, query: Query, isTree: boolean): Promise<RawBuilder<SqlBool>> {
  const { lookups, finish } = await startQuery(ctx, isTree ? wholeValues : entityFields, query)
  skipLookups(lookups)
  return finish().matches
}
