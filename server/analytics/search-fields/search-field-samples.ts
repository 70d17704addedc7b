import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { visible } from '../../engine/select.ts'
import { newestObservables } from '../../intelligence/observables/sight.ts'
import type { FieldType } from './search-field-lists.ts'

/** The number of newest visible objects that are sampled for names. */
const SAMPLE = 2000
const MAX_DEPTH = 10
const MAX_LIST_ITEMS = 20
const MAX_PLACES = 1000
const MAX_EXAMPLE_LENGTH = 100

/** A path in the documents of the sample. */
export interface Place {
  readonly name: string
  readonly type: FieldType
  readonly examples: readonly string[]
  /** The types of the entities that have it. */
  readonly kinds: readonly string[]
}

const ANY = sql<SqlBool>`true`

/** A CTE with the newest visible objects as the table `sample`; of entities and relationships those that a condition allows. */
export function sampleOf(ctx: Context, resource: Resource, isAllowed = ANY): RawBuilder<unknown> {
  const table = sql.table(resource.table)
  if (resource.collection === 'observables') {
    return sql`with recursive sample as materialized (
      select t.* from ${table} as t where t.id in (${newestObservables(ctx, SAMPLE)}) order by t.id limit ${SAMPLE})`
  }
  // Not limited to the newest rows before the visibility check: invisible objects would push out visible ones.
  return sql`with recursive sample as materialized (
    select t.* from ${table} as t where ${visible(ctx, resource)} and ${isAllowed} order by t.created_at desc, t.id desc limit ${SAMPLE})`
}

interface Row {
  readonly name: string
  readonly examples: readonly string[]
  readonly kinds: readonly string[] | null
  readonly is_number: boolean
  readonly is_boolean: boolean
  readonly is_date: boolean
}

/** All paths in documents with values in the sample, including those in the first items of lists. */
export async function findPlaces(
  ctx: Context,
  resource: Resource,
  documents: readonly string[],
  isAllowed = ANY,
): Promise<Place[]> {
  const roots = documents.map((name) => sql`(${name}::text, ${sql.ref(`t.${name}`)})`)
  const kind = resource.collection === 'entities' ? sql`t.type` : sql`null::text`
  const { rows } = await sql<Row>`
    ${sampleOf(ctx, resource, isAllowed)},
    walk (name, value, kind, depth) as (
      select d.name, d.document, ${kind}, 0
      from sample as t cross join lateral (values ${sql.join(roots)}) as d(name, document)
      union all
      select n.name, n.value, w.kind, w.depth + 1
      from walk as w cross join lateral (
        select w.name || '.' || e.key as name, e.value
        from jsonb_each(case jsonb_typeof(w.value) when 'object' then w.value else '{}' end) as e
        union all
        (
          select w.name, e.value
          from jsonb_array_elements(case jsonb_typeof(w.value) when 'array' then w.value else '[]' end) as e(value)
          limit ${MAX_LIST_ITEMS}
        )
      ) as n
      where w.depth < ${MAX_DEPTH}
    ),
    leaves as (
      select w.name, w.kind, jsonb_typeof(w.value) as type, left(w.value #>> '{}', ${MAX_EXAMPLE_LENGTH}) as text
      from walk as w
      where jsonb_typeof(w.value) in ('string', 'number', 'boolean') and w.value <> '""'
    ),
    counted as (
      select name, kind, type, text, sum(count(*)) over (partition by name, text) as count
      from leaves
      group by name, kind, type, text
    )
    select l.name, (array_agg(l.text order by l.count desc, l.text collate "C"))[:12] as examples,
      array_agg(distinct l.kind) filter (where l.kind is not null) as kinds,
      bool_and(l.type = 'number') as is_number,
      bool_and(l.type = 'boolean') as is_boolean,
      bool_and(l.type = 'string' and moment_of(l.text) is not null) as is_date
    from counted as l
    group by l.name
    order by sum(l.count) desc, l.name
    limit ${MAX_PLACES}`.execute(ctx.db)
  return rows.map(({ name, examples, kinds, is_number, is_boolean, is_date }) => ({
    name,
    type: is_number ? 'number' : is_boolean ? 'boolean' : is_date ? 'date' : 'keyword',
    examples: [...new Set(examples)],
    kinds: kinds ?? [],
  }))
}

/** An example, shortened for the response. */
export const shortened = (text: string): string => [...text].slice(0, MAX_EXAMPLE_LENGTH).join('')
