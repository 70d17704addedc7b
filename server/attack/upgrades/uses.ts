import { type RawBuilder, sql } from 'kysely'
import type { Collection } from '../../collections.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { attackLexeme } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'

/** An object with a query that names a node. */
export interface NamingQuery {
  readonly kind: Collection
  readonly id: number
  readonly name: string
}

/** How much of what the caller sees uses a node. */
export interface Uses {
  readonly entities: number
  readonly annotations: number
  /** Analyses with an imported layer that names it. */
  readonly layers: number
  /** Relationships of own defenses. */
  readonly links: number
  readonly queries: readonly NamingQuery[]
}

const NONE: Uses = { entities: 0, annotations: 0, layers: 0, links: 0, queries: [] }

/** Where queries are stored, and the texts of them. */
const QUERIES = {
  saved_queries: sql`t.query`,
  datasets: sql`concat_ws(' ', t.search_query, t.relational_query)`,
  widgets: sql`concat_ws(' ', t.query, t.settings)`,
  discovery_rules: sql`t.search_query`,
  entity_rules: sql`t.content_criteria::text`,
  webhooks: sql`t.query`,
} as const satisfies Partial<Record<Collection, RawBuilder<unknown>>>

/** What uses these nodes, by their ids. Nodes that nothing uses are left out. */
export async function usesOf(ctx: Context, nodes: readonly string[]): Promise<ReadonlyMap<string, Uses>> {
  if (nodes.length === 0) return new Map()
  const [numbers, queries] = [await numbersOf(ctx, nodes), await queriesNaming(ctx, nodes)]
  const uses = new Map<string, Uses>()
  for (const { node, kind, count } of numbers) uses.set(node, { ...(uses.get(node) ?? NONE), [kind]: count })
  for (const [node, named] of Map.groupBy(queries, ({ node }) => node))
    uses.set(node, { ...(uses.get(node) ?? NONE), queries: named.map(({ kind, id, name }) => ({ kind, id, name })) })
  return uses
}

/** Whether objects use a node, other than queries, which need no change. */
export const isUsed = ({ entities, annotations, layers, links }: Uses): boolean =>
  entities + annotations + layers + links > 0

const mayRead = (ctx: Context, collection: Collection): boolean =>
  ctx.caller.permissions.has(`read ${resourceOf(ctx, collection).permission}`)

/** Whether the caller sees the object `t` of a collection, and may. */
export const isSeen = (ctx: Context, collection: Collection): RawBuilder<unknown> =>
  mayRead(ctx, collection) ? visible(ctx, resourceOf(ctx, collection)) : sql`false`

/** Unified entities do not count: they have the nodes of their contributors. */
async function numbersOf(ctx: Context, nodes: readonly string[]) {
  const { rows } = await sql<{ node: string; kind: Exclude<keyof Uses, 'queries'>; count: number }>`
    with n as materialized (
      select u.id, a.matrix, a.external_id
      from unnest(${nodes}::text[]) as u(id) left join attack_nodes as a on a.id = u.id
    )
    select u.node, 'entities' as kind, count(*) as count
    from entities as t cross join unnest(t.attacks) as u(node)
    where ${toSql(anyLexeme(nodes.map(attackLexeme)))} and u.node in (select id from n) and not t.is_unified and ${isSeen(ctx, 'entities')}
    group by 1
    union all
    select t.attack_node, 'annotations', count(*)
    from attack_annotations as t
    where t.attack_node in (select id from n) and ${isSeen(ctx, 'attack_annotations')}
    group by 1
    union all
    select n.id, 'layers', count(distinct t.id)
    from attack_analyses as t
    cross join lateral jsonb_path_query(t.ui_metadata, '$.layer.techniques[*].techniqueID') as e(id)
    join n on n.matrix = t.attack_matrix and n.external_id = e.id #>> '{}'
    where ${isSeen(ctx, 'attack_analyses')}
    group by 1
    union all
    select t.technique, 'links', count(*)
    from defense_relationships as t
    where t.technique in (select id from n) and not t.is_system
    group by 1`.execute(ctx.db)
  return rows
}

/** Queries that name these nodes, of the collections that the caller may read. */
async function queriesNaming(ctx: Context, nodes: readonly string[]) {
  const parts = Object.entries(QUERIES).flatMap(([name, text]) => {
    const kind = name as keyof typeof QUERIES
    if (!mayRead(ctx, kind)) return []
    const where = visible(ctx, resourceOf(ctx, kind))
    return [
      sql`select ${kind}::text as kind, t.id, t.name, ${text} as text from ${sql.table(kind)} as t where ${where}`,
    ]
  })
  if (parts.length === 0) return []
  // In a query, the colon of an id may be escaped, also in JSON.
  const { rows } = await sql<NamingQuery & { node: string }>`
    with texts as materialized (${sql.join(parts, sql` union all `)}),
    named as (
      select distinct t.kind, t.id, t.name, replace(m.found[1], '\\', '') as node
      from texts as t
      cross join lateral regexp_matches(upper(t.text), '(TA[0-9]+(?:\\\\{0,4}:T[0-9]+(?:[.][0-9]+)?)?)', 'g') as m(found)
    )
    select kind, id, name, node from named where node = any(${nodes}::text[])
    order by kind, name, id`.execute(ctx.db)
  return rows
}
