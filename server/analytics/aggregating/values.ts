import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { extraFilterAt } from '../../engine/query.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { entityFieldNames } from '../../intelligence/entities/search-fields.ts'
import { classification, maliciousness } from '../../intelligence/observables/sight.ts'
import { dataExists, type Place, placeOf } from '../../search/sql/data-field.ts'
import { toSql } from '../../search/sql/parts.ts'
import type { Reading } from './readings.ts'

/** The values of the rows `t` in a field. */
export interface Values {
  /** Joined with `t`: one row per value. */
  readonly joins: RawBuilder<unknown>
  readonly value: RawBuilder<unknown>
  /** Whether one row may have the same value more than once. */
  readonly isRepeated: boolean
  /** A cheap condition that excludes rows without any value. */
  readonly condition?: RawBuilder<SqlBool>
}

/** The kind of a field, judged by its name: a part of a document may hold anything. */
export type FieldKind = 'time' | 'part' | 'other'

/** The values of observables require an additional permission. */
export const guardsOf = (names: readonly string[]): string[] =>
  names.some((name) => name.startsWith('extracts.')) ? ['read extracts'] : []

export function kindOf(name: string): FieldKind {
  if (Object.hasOwn(lists, name)) return 'other'
  const column = columnOf(name)
  if (column) return column.type === 'timestamptz' ? 'time' : 'other'
  return placeOf(name) ? 'part' : 'other'
}

/** The values of entities in a searchable field; undefined if the field does not exist. */
export function valuesOf(ctx: Context, name: string, alias: string, reading: Reading): Values | undefined {
  const list = Object.hasOwn(lists, name) ? lists[name] : undefined
  if (list) return list(alias, ctx)
  const column = columnOf(name)
  if (column) return { joins: sql``, value: shown(column.type, column.value(ctx), reading), isRepeated: false }
  const place = placeOf(name)
  return place && partValues(place, alias, reading)
}

function shown(type: string, value: RawBuilder<unknown>, reading: Reading): RawBuilder<unknown> {
  if (type === 'timestamptz') return reading.moment(value)
  // Unrounded, almost every entity would have its own relevancy.
  return type === 'double precision' ? sql`round(${value}::numeric, 2)::text` : sql`(${value})::text`
}

interface Column {
  readonly type: string
  value(ctx: Context): RawBuilder<unknown>
}

/** A searchable field with a single value, found through the definition of entities. */
function columnOf(name: string): Column | undefined {
  if (!entityFieldNames.includes(name)) return undefined
  if (name === 'id') return { type: 'uuid', value: () => sql`t.id` }
  const { fields, search: { filters = {} } = {} } = entities
  const own = Object.hasOwn(fields, name) ? fields[name]?.props.storage : undefined
  const storage = extraFilterAt(entities, name)?.storage ?? (Object.hasOwn(filters, name) ? undefined : own)
  if (storage?.kind === 'column') {
    const column = storage.column ?? name
    return storage.type === 'jsonb' ? undefined : { type: storage.type, value: () => sql.ref(`t.${column}`) }
  }
  if (storage?.kind !== 'computed') return undefined
  const { type, expression } = storage
  return {
    type,
    value: typeof expression === 'string' ? () => sql.raw(expression) : (ctx) => sql`(${expression(ctx)})`,
  }
}

/**
 * The values of entities at a path in a document. Single values and plain lists, the most common cases, avoid the
 * recursive walk.
 */
function partValues({ document, path: [first = '', ...rest] }: Place, alias: string, reading: Reading): Values {
  const root = `${alias}_root`
  const own = sql.ref(`${root}.own`)
  // A number would be read as a position in a list.
  const isPlain = rest.every((name) => !/^[+-]?\d+$/.test(name))
  const kind = sql`case when jsonb_path_exists(${own}, 'strict $[*] ? (@.type() == "array")', '{}', true) then 'nested'
    else jsonb_typeof(${own}) end`
  const isSingle = (value: RawBuilder<unknown>) => sql`jsonb_typeof(${value}) in ('string', 'number', 'boolean')`
  return {
    // Documents are stored out of line (TOAST) and fetched at every mention, so each is mentioned once.
    joins: sql`
      cross join lateral (
        select r.value, ${isPlain ? sql`r.value #> ${rest}::text[]` : sql`null::jsonb`} as own
        from (select ${sql.ref(`t.${document}`)} -> ${first}::text as value offset 0) as r
        offset 0
      ) as ${sql.ref(root)}
      cross join lateral (
        select ${reading.part(own)} as value where ${isSingle(own)}
        union all
        select distinct ${reading.part(sql`w.value`)}
        from jsonb_array_elements(case ${kind} when 'array' then ${own} else '[]' end) as w(value)
        where ${kind} = 'array' and ${isSingle(sql`w.value`)}
        union all
        select distinct ${reading.part(sql`w.value`)}
        from values_at(${sql.ref(`${root}.value`)}, ${rest}::text[]) as w(value)
        where coalesce(${kind}, 'nested') = 'nested' and ${sql.ref(`${root}.value`)} is not null
      ) as ${sql.ref(alias)}`,
    value: sql.ref(`${alias}.value`),
    isRepeated: false,
    ...(document === 'data' && { condition: toSql(dataExists([first, ...rest].join('.'))) }),
  }
}

type List = (alias: string, ctx: Context) => Values

type ValueOf = (o: string, ctx: Context) => RawBuilder<unknown>

const unnested =
  (column: string): List =>
  (alias) => ({
    joins: sql`cross join lateral unnest(${sql.ref(`t.${column}`)}) as ${sql.ref(alias)}(value)`,
    value: sql.ref(`${alias}.value`),
    isRepeated: false,
  })

const linked =
  (table: string, through: string, value: ValueOf, isRepeated: boolean): List =>
  (alias, ctx) => {
    const link = `${alias}_link`
    return {
      joins: sql`
        join ${sql.table(through)} as ${sql.ref(link)} on ${sql.ref(`${link}.source`)} = t.id
        join ${sql.table(table)} as ${sql.ref(alias)} on ${sql.ref(`${alias}.id`)} = ${sql.ref(`${link}.target`)}`,
      value: value(alias, ctx),
      isRepeated,
    }
  }

const ofObservables = (value: ValueOf): List => linked('observables', 'entity_observables', value, true)

const ofSource =
  (column: string): List =>
  (alias) => ({
    joins: sql`
      join numbered_sources as ${sql.ref(`${alias}_number`)} on ${sql.ref(`${alias}_number.number`)} = ${sourceOf(sql`t.vis`)}
      join sources as ${sql.ref(alias)} on ${sql.ref(`${alias}.id`)} = ${sql.ref(`${alias}_number.id`)}`,
    value: sql`${sql.ref(`${alias}.${column}`)}::text`,
    isRepeated: false,
  })

/** Names are strings in some entity types and records in others. */
const names: List = (alias) => ({
  joins: sql`cross join lateral (
    select w.value #>> '{}' as value from values_at(t.data, '{names}') as w(value)
    union
    select w.value #>> '{}' from values_at(t.data, '{names,value}') as w(value)
  ) as ${sql.ref(alias)}`,
  value: sql.ref(`${alias}.value`),
  isRepeated: false,
  condition: toSql(dataExists('names')),
})

const lists: Readonly<Record<string, List>> = {
  tags: unnested('tags'),
  'meta.tags': unnested('tags'),
  'meta.attacks': unnested('attacks'),
  'meta.taxonomies': linked('taxonomies', 'entity_taxonomies', (o) => sql`${sql.ref(`${o}.id`)}::text`, false),
  'meta.taxonomy_paths': linked(
    'taxonomies',
    'entity_taxonomies',
    (o) => sql`array_to_string(${sql.ref(`${o}.path`)}, '/')`,
    true,
  ),
  sources: ofSource('id'),
  'sources.name': ofSource('name'),
  'extracts.kind': ofObservables((o) => sql.ref(`${o}.type`)),
  'extracts.value': ofObservables((o) => sql.ref(`${o}.value`)),
  'extracts.meta.maliciousness': ofObservables((o, ctx) => maliciousness(ctx, o)),
  'extracts.meta.classification': ofObservables((o, ctx) => classification(ctx, o)),
  'data.names': names,
  'data.names.value': names,
}
