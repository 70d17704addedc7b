import { sql } from 'kysely'
import { OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import { chosen, fieldOrPlace, integer, type NamedFields, ready, time } from '../../search/sql/columns.ts'
import type { SearchField, SearchFields } from '../../search/sql/compile.ts'
import { isPlain, type Leaf, matchesText } from '../../search/sql/leaf.ts'
import { ALL, condition } from '../../search/sql/parts.ts'
import { MALICIOUSNESS } from '../entities/observables-in.ts'
import { createdAt, isMalicious, lastUpdatedAt } from './sight.ts'

/** Whole values use the index on the folded key, patterns compare the text. */
const value: SearchField = {
  find: ready((leaf) => condition(matchesValue(leaf, 't'))),
  exists: ALL,
}

/** Whether the value of an observable matches. A whole value is found by its indexed key. */
export const matchesValue = (leaf: Leaf, alias: string) =>
  isPlain(leaf)
    ? sql<boolean>`observable_key(folded(${sql.ref(`${alias}.value`)})) collate "C" = observable_key(folded(${leaf.text}))`
    : matchesText(leaf, sql`folded(${sql.ref(`${alias}.value`)})`)

const fields: NamedFields = {
  id: () => integer('id'),
  value: () => value,
  type: () => chosen(OBSERVABLE_TYPES, (values) => sql`t.type = any(${values}::text[])`),
  'meta.maliciousness': ({ ctx }) => chosen(MALICIOUSNESS, (levels) => isMalicious(ctx, 't', levels)),
  created_at: (search) => time(createdAt(search.ctx), search),
  last_updated_at: (search) => time(lastUpdatedAt(search.ctx), search),
}

/** The names of the fields that queries on observables can use. */
export const observableFieldNames: readonly string[] = Object.keys(fields)

/** The search fields of observables. */
export const observableFields: SearchFields = {
  names: observableFieldNames,
  field: (search, name) => fieldOrPlace(fields, [], search, name),
  defaults: (_, leaf) => ({ part: value.find(leaf) }),
}
