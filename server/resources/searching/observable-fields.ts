import { sql } from 'kysely'
import { OBSERVABLE_TYPES } from '../../domain/observables/types.ts'
import { MALICIOUSNESS } from '../entities/observables-in.ts'
import { chosen, integer, nothing, place, ready, time } from './columns.ts'
import type { Search, SearchField, SearchFields } from './compile.ts'
import { type Leaf, matchesText } from './leaf.ts'
import { ALL, condition } from './parts.ts'

/** A value by the index that knows it in lower case, or else by what it looks like. */
const value: SearchField = {
  find: ready((leaf) => condition(matchesValue(leaf, 't'))),
  exists: ALL,
}

/** Whether the value of an observable matches; a whole one is found by its key. */
export const matchesValue = (leaf: Leaf, alias: string) =>
  leaf.kind === 'term' || leaf.kind === 'phrase'
    ? sql<boolean>`observable_key(folded(${sql.ref(`${alias}.value`)})) collate "C" = observable_key(folded(${leaf.text}))`
    : matchesText(leaf, sql`folded(${sql.ref(`${alias}.value`)})`)

const fields: Readonly<Record<string, (search: Search) => SearchField>> = {
  id: () => integer('id'),
  value: () => value,
  type: () => chosen(OBSERVABLE_TYPES, (values) => sql`t.type = any(${values}::text[])`),
  'meta.maliciousness': () =>
    chosen(MALICIOUSNESS, (values) => sql`t.meta ->> 'maliciousness' = any(${values}::text[])`),
  created_at: (search) => time('created_at', search),
  last_updated_at: (search) => time('last_updated_at', search),
}

/** What can be searched of observables. */
export const observableFields: SearchFields = {
  field: (search, name) => {
    const known = Object.hasOwn(fields, name) ? fields[name]?.(search) : undefined
    if (known) return known
    return name.startsWith('meta.') ? place(sql`t.meta`, search, name.slice('meta.'.length)) : nothing
  },
  defaults: (_, leaf) => value.find(leaf),
}

/** The fields of observables that have a name of their own. */
export const observableFieldNames: readonly string[] = Object.keys(fields)
