import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { isTimeout, tooBroad } from '../../engine/errors.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { datasetConditions } from '../../intelligence/datasets/dataset-condition.ts'
import type { NodeState, NodeType } from '../frameworks/framework.ts'
import type { HeatPlan } from './heat-parameters.ts'
import { isCounted } from './scope.ts'

/** How many entities count for a node and have the same key, and the sum of their weights. */
export type Cell = readonly [node: string, key: Key, count: number, weight: number]

/** The type of an entity, the number of its source, or the ids of all datasets that it is in. */
export type Key = string | number | readonly number[] | null

export interface CountedNode {
  readonly type: NodeType
  readonly parent: string | null
  readonly state: NodeState
  readonly successors: readonly string[]
}

/** Everything in a heat that depends on what the caller sees. */
export interface Cells {
  /** The number of entities that count, with or without nodes. */
  readonly total: number
  /** Of nodes of the matrix, and of ids that no node has. */
  readonly cells: readonly Cell[]
  /** The nodes of the matrix among them, by their ids. */
  readonly nodes: Readonly<Record<string, CountedNode>>
}

/** Counts the visible entities by node and key, in one statement. */
export async function findCells(ctx: Context, plan: HeatPlan): Promise<Cells> {
  const where = await isCounted(ctx, plan)
  const key = await keyOf(ctx, plan)
  // With a key that is always the same, the database would expect too many groups to count in parallel.
  const isSplit = key !== NO_KEY
  const { rows } = await sql<Cells>`
    with cells as materialized (
      select node, ${isSplit ? sql`key` : NO_KEY} as key, count(*) as count,
        ${plan.by === 'recency' ? sql`sum(weight)` : sql`count(*)`} as weight
      from ${classified(plan, where, key)} as c
      group by node${isSplit ? sql`, key` : sql``}
    )
    select
      (select coalesce(sum(count), 0)::integer from cells where node is null) as total,
      (
        select coalesce(json_agg(json_build_array(c.node, c.key, c.count, c.weight)), '[]')
        from cells as c left join attack_nodes as n on n.id = c.node
        where c.node is not null and (n.matrix = ${plan.matrix} or n.id is null)
      ) as cells,
      (
        select coalesce(json_object_agg(n.id, json_build_object(
          'type', n.type, 'parent', n.parent, 'state', n.state, 'successors', n.successors)), '{}')
        from attack_nodes as n
        where n.matrix = ${plan.matrix} and n.id in (select node from cells)
      ) as nodes`
    .execute(ctx.db)
    .catch((error) => {
      throw isTimeout(error) ? tooBroad('counting the entities takes too long.', error) : error
    })
  return rows[0] ?? { total: 0, cells: [], nodes: {} }
}

type Where = RawBuilder<SqlBool>
type Expression = RawBuilder<unknown>

/**
 * Each entity of the scope once for each of its nodes, and once without a node: that is how many there are in all, so that the table is read
 * once. The function is in the select list because a join with it would store the nodes of each entity.
 */
function classified(plan: HeatPlan, where: Where, key: Expression): RawBuilder<unknown> {
  if (plan.by !== 'dataset') {
    return sql`(
      select unnest(t.attacks || null::text) as node, ${key} as key, ${weightOf(plan)} as weight
      from entities as t where ${where})`
  }
  // Whether an entity is in a dataset is asked once, not for each of its nodes.
  return sql`(
    with scope as materialized (
      select t.attacks || null::text as attacks, ${key} as key, ${weightOf(plan)} as weight
      from entities as t where ${where}
    )
    select unnest(attacks) as node, key, weight from scope)`
}

const NO_KEY = sql`null::integer`

/** What counts are broken down by. */
async function keyOf(ctx: Context, { by, datasets }: HeatPlan): Promise<RawBuilder<unknown>> {
  if (by === 'type') return sql`t.type`
  if (by === 'source') return sourceOf(sql`t.vis`)
  if (by !== 'dataset') return NO_KEY
  const found = await datasetConditions(ctx, datasets)
  const own = found.map(({ id, isIn }) => sql`case when ${isIn} then ${id}::integer end`)
  return own.length === 0 ? sql`'{}'::integer[]` : sql`array_remove(array[${sql.join(own)}], null)`
}

/** Beyond it, a weight is too small for a number. */
const MIN_EXPONENT = sql.lit(-700)

/** An entity without a start has no recency. One that starts in the future weighs no more than one that starts now. */
function weightOf({ by, halfLife, list }: HeatPlan): RawBuilder<unknown> {
  if (by !== 'recency') return sql`1::float8`
  // In seconds, as logarithms: this is computed for each node of each entity.
  const age = sql`${Date.parse(list.at) / 1000}::float8 - date_part('epoch', t.threat_start)`
  const rate = Math.LN2 / (halfLife * 86_400)
  return sql`case when t.threat_start is null then 0 else exp(greatest(least(-(${age}) * ${rate}::float8, 0), ${MIN_EXPONENT})) end`
}
