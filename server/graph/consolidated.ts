import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../engine/context.ts'
import { CONSOLIDATIONS, type Consolidation, memberships } from '../intelligence/entities/unified.ts'

/**
 * The nodes of a graph and the entities behind them. With `unified`, a unified entity is the node of all its contributors; otherwise
 * every entity is its own node. A unified entity has the relationships of its contributors in any case.
 */

/** The choice in requests. */
export const graphConsolidation = z
  .enum(CONSOLIDATIONS)
  .default('all')
  .describe(
    '`unified` puts unified entities in place of their contributors, `contributors` reaches no unified entities.',
  )

/** The node of an entity. */
export const nodeOf = (ctx: Context, consolidation: Consolidation, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  consolidation === 'unified'
    ? sql`coalesce((select m.unified from ${memberships(ctx)} as m where m.entity = ${id}), ${id})`
    : id

/** The nodes of some entities, in their order. */
export async function nodesOf(
  ctx: Context,
  consolidation: Consolidation,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (consolidation !== 'unified') return ids
  const { rows } = await sql<{ node: string }>`
    select ${nodeOf(ctx, consolidation, sql`i.id`)} as node
    from unnest(${ids}::uuid[]) with ordinality as i(id, place) order by i.place`.execute(ctx.db)
  return rows.map(({ node }) => node)
}

/** The entities whose relationships belong to the nodes `id` of a table, as `id` and `node`. */
export const membersOf = (ctx: Context, consolidation: Consolidation, table: string): RawBuilder<unknown> => sql`
  select n.id, n.id as node from ${sql.table(table)} as n
  union
  select m.entity, ${consolidation === 'unified' ? sql`m.unified` : sql`m.entity`}
  from ${sql.table(table)} as n join ${memberships(ctx)} as m on m.unified = n.id`

/** Whether the entity `t` may be a node that a step leads to. */
export const mayBeNode = (consolidation: Consolidation) =>
  consolidation === 'contributors' ? sql<boolean>`not t.is_unified` : sql<boolean>`true`

/** Every step between a unified entity and a contributor from the entities `id` of a table, as `near` and `far`. */
export const unifyingSteps = (ctx: Context, table: string): RawBuilder<unknown>[] => [
  sql`select m.unified as near, m.entity as far
    from ${sql.table(table)} as f join ${memberships(ctx)} as m on m.unified = f.id`,
  sql`select m.entity as near, m.unified as far
    from ${sql.table(table)} as f join ${memberships(ctx)} as m on m.entity = f.id`,
]
