import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context, Resource } from './resource.ts'
import { and } from './select.ts'

/** What the planner expects of a search. */
export interface Expected {
  readonly rows: number
  /** How much of the work is done before the first row is known, from 0 to 1. */
  readonly ahead: number
}

/** What is this rare, as a share of all rows, is never walked to. */
const RARE = 0.004
/** What a row costs that is walked over, and one that the index finds. */
const WALKED_US = 5.6
const FOUND_US = 1.2
/** Where this much must be done first in any case, such as following relations, walking saves nothing. */
const MOSTLY_AHEAD = 0.5

/**
 * Whether it is faster to find all that matches than to walk along the order until a page is full. The database itself walks
 * for any word that it has no statistics of, and such words are mostly those that hardly anything has.
 */
export async function isFoundSooner(
  ctx: Context,
  resource: Resource,
  expected: Expected,
  rows: number,
): Promise<boolean> {
  const share = expected.rows / Math.max(await sizeOf(ctx, resource), 1)
  return share < RARE || expected.ahead > MOSTLY_AHEAD || (rows / share) * WALKED_US > expected.rows * FOUND_US
}

const SIZE_MS = 60_000
const sizes = new WeakMap<Resource, { rows: number; at: number }>()

/** About how many rows a table has; it need not be known anew for every request. */
async function sizeOf(ctx: Context, resource: Resource): Promise<number> {
  const known = sizes.get(resource)
  if (known && Date.now() - known.at < SIZE_MS) return known.rows
  const { rows } = await expect(ctx, resource, [])
  sizes.set(resource, { rows, at: Date.now() })
  return rows
}

/** What the planner expects of the rows that match. */
export async function expect(
  ctx: Context,
  resource: Resource,
  matching: readonly RawBuilder<SqlBool>[],
): Promise<Expected> {
  const { rows } = await sql<Explained>`explain (format json) ${rowsOf(resource, matching)}`.execute(ctx.db)
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan
  if (!plan) throw new TypeError('The database explains nothing.')
  return { rows: plan['Plan Rows'], ahead: plan['Startup Cost'] / Math.max(plan['Total Cost'], 1) }
}

/** Exact up to the cap; beyond it what is expected, never below the cap. */
export async function count(
  ctx: Context,
  resource: Resource,
  matching: readonly RawBuilder<SqlBool>[],
  cap: number,
  expected?: Expected,
): Promise<number> {
  const all = rowsOf(resource, matching)
  // Materialised, it is planned as if all were wanted, and still ends at the limit. Otherwise rows would be looked into one
  // by one because so many are expected to match, where the index has them all at once.
  const limited = sql`with found as materialized (${all}) select from found limit ${cap + 1}`
  const counted = await sql<{ total: number }>`
    select count(*) as total from (${cap === 0 ? all : limited}) as counted`.execute(ctx.db)
  const total = counted.rows[0]?.total ?? 0
  if (cap === 0 || total <= cap) return total
  return Math.max(cap + 1, (expected ?? (await expect(ctx, resource, matching))).rows)
}

const rowsOf = (resource: Resource, matching: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> =>
  sql`select from ${sql.table(resource.table)} as t where ${and(matching)}`

interface Explained {
  'QUERY PLAN': { Plan: { 'Plan Rows': number; 'Startup Cost': number; 'Total Cost': number } }[]
}
