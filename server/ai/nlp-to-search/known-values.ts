import { sql } from 'kysely'
import { type Nodes, readNodes } from '../../attack/classification/nodes.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { isOfSource } from '../../identity/access/visibility.ts'
import { tagLexeme } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import { foldCase } from '../../search/words.ts'
import type { Condition, ConditionGroup } from './answer.ts'
import type { KnownValues, SearchableFields } from './searchable-fields.ts'

/** What values of an answer mean that the installation decides about, as far as the caller sees them. */
export interface Known {
  /** The values to search for; none if there is no such value. */
  of(kind: Exclude<KnownValues, 'attacks'>, value: string): readonly string[]
  /** Undefined if the answer names no attacks. */
  readonly nodes: Nodes | undefined
}

/** More would make the statement large. */
const MAX_LOOKED_UP = 100

/** Looks up all values of an answer, with at most one statement for each kind. */
export async function lookUpValues(ctx: Context, fields: SearchableFields, group: ConditionGroup): Promise<Known> {
  const named = new Map<KnownValues, Set<string>>()
  for (const { field, operator, values } of conditionsIn(group)) {
    const kind = fields.get(field)?.known
    // Parts of values are searched for as they are.
    if (kind && (operator === 'is' || kind === 'taxonomies' || kind === 'attacks'))
      named.set(kind, new Set([...(named.get(kind) ?? []), ...values]))
  }
  const valuesOf = (kind: KnownValues) => [...(named.get(kind) ?? [])].slice(0, MAX_LOOKED_UP)
  const [tags, sources, taxonomies, nodes] = await Promise.all([
    findTags(ctx, valuesOf('tags')),
    findSources(ctx, valuesOf('sources')),
    findTaxonomies(ctx, valuesOf('taxonomies')),
    named.has('attacks') ? readNodes(ctx) : undefined,
  ])
  const found = { tags, sources, taxonomies }
  return { of: (kind, value) => found[kind].get(value) ?? [], nodes }
}

export const conditionsIn = ({ members }: ConditionGroup): Condition[] =>
  members.flatMap((member) => ('members' in member ? conditionsIn(member) : [member]))

type Found = ReadonlyMap<string, readonly string[]>

/** Tags of entities that the caller sees. People write spaces where tags have hyphens. */
async function findTags(ctx: Context, values: readonly string[]): Promise<Found> {
  const tried = values.flatMap((value) =>
    [...new Set([value, ...['-', '_', ' '].map((mark) => value.replaceAll(/[ _-]/g, mark))])]
      .filter((tag) => tag !== '')
      .map((tag) => ({ value, tag })),
  )
  if (tried.length === 0) return new Map()
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  const asked = tried.map(
    ({ tag }, n) => sql`
      select ${n}::integer as n
      where exists (select from entities as t where ${isSeen} and ${toSql(anyLexeme([tagLexeme(tag)]))})`,
  )
  const { rows } = await sql<{ n: number }>`${sql.join(asked, sql` union all `)}`.execute(ctx.db)
  const found = rows.flatMap(({ n }) => tried[n] ?? [])
  return new Map(
    [...Map.groupBy(found, ({ value }) => value)].map(([value, each]) => [value, each.map(({ tag }) => tag)]),
  )
}

/** The names of sources of entities that the caller sees. */
async function findSources(ctx: Context, values: readonly string[]): Promise<Found> {
  if (values.length === 0) return new Map()
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  const { rows } = await sql<{ n: number; name: string }>`
    select distinct w.n::integer as n, s.name
    from unnest(${values.map(foldCase)}::text[]) with ordinality as w(value, n)
    join sources as s on folded(s.name) = w.value
    join numbered_sources as i on i.id = s.id
    where exists (select from entities as t where ${isOfSource(sql`t.vis`, sql`i.number`)} and ${isSeen})`.execute(
    ctx.db,
  )
  return grouped(values, rows)
}

/** The paths of terms with a name or a path. */
async function findTaxonomies(ctx: Context, values: readonly string[]): Promise<Found> {
  if (values.length === 0) return new Map()
  const { rows } = await sql<{ n: number; name: string }>`
    select w.n::integer as n, array_to_string(t.path, '/') as name
    from unnest(${values.map(foldCase)}::text[]) with ordinality as w(value, n)
    join taxonomies as t on w.value in (folded(t.name), folded(array_to_string(t.path, '/')))
    where ${visible(ctx, resourceOf(ctx, 'taxonomies'))}
    order by name
    limit 1000`.execute(ctx.db)
  return grouped(values, rows)
}

function grouped(values: readonly string[], rows: readonly { n: number; name: string }[]): Found {
  const byValue = Map.groupBy(rows, ({ n }) => n)
  return new Map(values.map((value, i) => [value, (byValue.get(i + 1) ?? []).map(({ name }) => name)]))
}
