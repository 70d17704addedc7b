import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import type { Query } from '../../search/query/ast.ts'
import { compileQuery } from '../../search/sql/compile.ts'
import { plainText } from '../grounding/quotes.ts'

interface Named {
  readonly type: string
  readonly title: string
  readonly aliases: readonly string[]
}

interface Known {
  readonly id: string
  readonly type: string
  readonly names: readonly string[]
}

/** Names beyond this number are not looked up. */
const MOST_NAMES = 300
const MOST_FOUND = 2_000

/** Types whose entities different people tell apart differently. */
const ALIKE = [
  ['malware', 'tool'],
  ['threat-actor', 'intrusion-set'],
  ['ttp', 'attack-pattern'],
  ['campaign', 'incident'],
]

/** Finds entities with the title or an alias of others, of the same or a similar type, among those that the caller sees. */
export async function findExisting(
  ctx: Context,
  wanted: readonly Named[],
): Promise<(entity: Named) => string | undefined> {
  const names = [...new Set(wanted.flatMap(({ title, aliases }) => [title, ...aliases]))].slice(0, MOST_NAMES)
  const known = names.length === 0 ? [] : await entitiesNamed(ctx, names)
  const byName = Map.groupBy(
    known.flatMap((entity) => entity.names.map((name) => ({ name: plainText(name), entity }))),
    ({ name }) => name,
  )
  return ({ type, title, aliases }) => {
    const meant = [title, ...aliases].flatMap((name) => (byName.get(plainText(name)) ?? []).map(({ entity }) => entity))
    const similar = ALIKE.find((types) => types.includes(type)) ?? []
    return (meant.find((each) => each.type === type) ?? meant.find((each) => similar.includes(each.type)))?.id
  }
}

const FIELDS = ['data.title', 'meta.alias', 'data.aliases', 'data.name']

async function entitiesNamed(ctx: Context, names: readonly string[]): Promise<readonly Known[]> {
  const clauses = names.flatMap((text) =>
    FIELDS.map((field) => ({ occur: 'should' as const, query: { kind: 'phrase' as const, field, text, slop: 0 } })),
  )
  const query: Query = { kind: 'bool', clauses }
  const matches = await compileQuery(ctx, entityFields, query)
  // Unified entities come last: they take no relationships of their own.
  const { rows } = await sql<Known>`
    select t.id, t.type, n.names
    from entities as t
    cross join lateral (
      select array_agg(v.value #>> '{}') as names
      from (
        select jsonb_path_query(t.data, p.path) as value
        from (values ('$.title'::jsonpath), ('$.name'), ('$.aliases[*]')) as p(path)
        union all
        select t.meta -> 'alias'
      ) as v
      where jsonb_typeof(v.value) = 'string'
    ) as n
    where ${visible(ctx, resourceOf(ctx, 'entities'))} and not t.is_unresolved and ${matches}
      and exists (select from unnest(n.names) as s(name) where folded(s.name) = any(select folded(w) from unnest(${names}::text[]) as w))
    order by t.is_unified, t.id
    limit ${MOST_FOUND}`.execute(ctx.db)
  return rows
}
