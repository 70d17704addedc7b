import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from './context.ts'
import type { Resource } from './definition.ts'
import { and, visible, visibleOne } from './select.ts'

/** The planner's estimate for a search. */
export interface Expected {
  readonly rows: number
  /** The share of the cost before the first row, from 0 to 1. */
  readonly ahead: number
}

/** Matches that are rarer than this share of all rows are never searched for in order. */
const RARE = 0.004
/** The cost of a row that is read in order, and of one that the index finds. */
const WALKED_US = 5.6
const FOUND_US = 1.2
/** If this share of the cost comes before the first row, as with relations, reading in order saves nothing. */
const MOSTLY_AHEAD = 0.5

/**
 * Whether it is faster to find all matches than to read rows in order until a page is full. The database itself reads in order
 * for any word without statistics, and most of these words are rare.
 */
export function isFoundSooner(expected: Expected, size: number, rows: number): boolean {
  const share = expected.rows / Math.max(size, 1)
  return share < RARE || expected.ahead > MOSTLY_AHEAD || (rows / share) * WALKED_US > expected.rows * FOUND_US
}

const SIZE_MS = 60_000
const sizes = new WeakMap<Resource, { rows: number; at: number }>()

/** The approximate number of rows of a table, as of the last minute. */
export async function sizeOf(ctx: Context, resource: Resource): Promise<number> {
  const known = sizes.get(resource)
  if (known && Date.now() - known.at < SIZE_MS) return known.rows
  const { rows } = await expect(ctx, resource, [])
  sizes.set(resource, { rows, at: Date.now() })
  return rows
}

/** The planner's estimate of the rows that match. */
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

/** The number of visible rows that match: exact up to the cap, beyond it an estimate that is never below the cap. */
export async function count(
  ctx: Context,
  resource: Resource,
  wanted: readonly RawBuilder<SqlBool>[],
  cap: number,
): Promise<number> {
  if (await isSoonBeyond(ctx, resource, wanted, cap)) return estimate(ctx, resource, wanted, cap)
  const all = rowsOf(resource, [visible(ctx, resource), ...wanted])
  const most = resource.isView ? cap * VIEW_CAP_FACTOR : cap
  // Materialised, it is planned as if all rows were needed, and still ends at the limit. Otherwise rows would be checked one
  // by one because many are expected to match, although the index finds all of them at once.
  const limited = sql`with found as materialized (${all}) select from found limit ${most + 1}`
  const counted = await sql<{ total: number }>`
    select count(*) as total from (${cap === 0 ? all : limited}) as counted`.execute(ctx.db)
  const total = counted.rows[0]?.total ?? 0
  return cap === 0 || total <= cap || resource.isView ? total : estimate(ctx, resource, wanted, cap)
}

/** Whether the first rows already exceed the cap. Asked only where finding all visible rows is slow. */
async function isSoonBeyond(
  ctx: Context,
  resource: Resource,
  wanted: readonly RawBuilder<SqlBool>[],
  cap: number,
): Promise<boolean> {
  if (!resource.visibility?.rowCondition || cap === 0 || cap > MAX_ROWS_ONE_BY_ONE) return false
  const { rows } = await sql<{ total: number }>`
    with found as materialized (select t.* from ${sql.table(resource.table)} as t where ${and(wanted)}),
      first as materialized (select * from found limit ${2 * cap})
    select count(*) as total from (
      select from first as t where ${visibleOne(ctx, resource)} limit ${cap + 1}) as counted`.execute(ctx.db)
  return (rows[0]?.total ?? 0) > cap
}

/** Up to this many rows can be checked one by one quickly. */
const MAX_ROWS_ONE_BY_ONE = 20_000

/** Views cannot be sampled: they are counted up to this multiple of the cap instead. */
const VIEW_CAP_FACTOR = 10

/** The approximate number of rows in a sample. */
const SAMPLE_ROWS = 2000

/**
 * An estimate of how many rows match, if they are known to exceed the cap. It is based on a sample of the rows and not on the
 * planner, whose statistics include words that the caller may not see.
 */
export async function estimate(
  ctx: Context,
  resource: Resource,
  wanted: readonly RawBuilder<SqlBool>[],
  cap: number,
): Promise<number> {
  const size = await sizeOf(ctx, resource)
  const percent = Math.min(100, (100 * SAMPLE_ROWS) / Math.max(size, 1))
  // A fixed seed: all pages of a list have the same total as long as nothing is written.
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
