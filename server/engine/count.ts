import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context, Resource } from './resource.ts'
import { and, visible, visibleOne } from './select.ts'

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

/** How many visible rows match these conditions: exact up to the cap; beyond it an estimate, never below the cap. */
export async function count(
  ctx: Context,
  resource: Resource,
  wanted: readonly RawBuilder<SqlBool>[],
  cap: number,
): Promise<number> {
  if (await isSoonBeyond(ctx, resource, wanted, cap)) return estimate(ctx, resource, wanted, cap)
  const all = rowsOf(resource, [visible(ctx, resource), ...wanted])
  const most = resource.isView ? cap * VIEWED : cap
  // Materialised, it is planned as if all were wanted, and still ends at the limit. Otherwise rows would be looked into one
  // by one because so many are expected to match, where the index has them all at once.
  const limited = sql`with found as materialized (${all}) select from found limit ${most + 1}`
  const counted = await sql<{ total: number }>`
    select count(*) as total from (${cap === 0 ? all : limited}) as counted`.execute(ctx.db)
  const total = counted.rows[0]?.total ?? 0
  return cap === 0 || total <= cap || resource.isView ? total : estimate(ctx, resource, wanted, cap)
}

/** Whether the first rows are more than the cap already, where it takes long to find all that are visible. */
async function isSoonBeyond(
  ctx: Context,
  resource: Resource,
  wanted: readonly RawBuilder<SqlBool>[],
  cap: number,
): Promise<boolean> {
  if (!resource.visibleOne || cap === 0 || cap > MOST_ONE_BY_ONE) return false
  const { rows } = await sql<{ total: number }>`
    with found as materialized (select t.* from ${sql.table(resource.table)} as t where ${and(wanted)}),
      first as materialized (select * from found limit ${2 * cap})
    select count(*) as total from (
      select from first as t where ${visibleOne(ctx, resource)} limit ${cap + 1}) as counted`.execute(ctx.db)
  return (rows[0]?.total ?? 0) > cap
}

/** Up to this many rows are quickly looked up one by one. */
const MOST_ONE_BY_ONE = 20_000

/** Of a view no sample can be taken: it is counted further, and no estimate is made. */
const VIEWED = 10

/** About how many rows tell what share of them matches. */
const SAMPLE = 2000

/**
 * How many rows match, where it is known that they are more than the cap: by a sample of the rows, and not by what the planner
 * expects, whose statistics have words in them that the caller may not see.
 */
export async function estimate(
  ctx: Context,
  resource: Resource,
  wanted: readonly RawBuilder<SqlBool>[],
  cap: number,
): Promise<number> {
  const size = await sizeOf(ctx, resource)
  const percent = Math.min(100, (100 * SAMPLE) / Math.max(size, 1))
  // The same seed each time: the pages of a list have one total as long as nothing is written.
  const { rows } = await sql<{ looked_at: number; found: number }>`
    select count(*) as looked_at, count(*) filter (where ${and([visibleOne(ctx, resource), ...wanted])}) as found
    from ${sql.table(resource.table)} as t tablesample system (${percent}) repeatable (0)`.execute(ctx.db)
  const { looked_at = 0, found = 0 } = rows[0] ?? {}
  const isWhole = percent === 100 || looked_at === 0
  return Math.max(cap + 1, isWhole ? found : Math.round((found / looked_at) * size))
}

const rowsOf = (resource: Resource, matching: readonly RawBuilder<SqlBool>[]): RawBuilder<unknown> =>
  sql`select from ${sql.table(resource.table)} as t where ${and(matching)}`

interface Explained {
  'QUERY PLAN': { Plan: { 'Plan Rows': number; 'Startup Cost': number; 'Total Cost': number } }[]
}
