import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import { notFound } from './errors.ts'
import { type ListPlan, locate, writeCursor } from './query.ts'
import type { Id } from './reference.ts'
import type { AnyRow, Caller, Context, Page, Resource } from './resource.ts'
import { and, columns, idType, isAfter, matches, orderBy, PREPARED, type SortKey, sortKeys, visible } from './select.ts'

/** One page of what matches, the cursor to the next, and the total. */
export async function list(asked: Context, resource: Resource, plan: ListPlan): Promise<Page> {
  const ctx = { ...asked, at: plan.at }
  const sought = plan.query === null ? undefined : await resource.search?.(ctx, plan.query)
  const filtered = await Promise.all(plan.filters.map((filter) => matches(ctx, resource, filter)))
  const wanted = [...(sought ? [sought.matches] : []), ...filtered]
  const matching = [visible(ctx, resource), ...wanted]
  if (plan.countOnly) return { rows: [], cursor: null, total: await count(ctx, resource, matching, plan.cap) }

  const keys = sortKeys(ctx, resource, plan, sought?.score)
  const where = plan.after ? [...matching, isAfter(keys, plan.after)] : matching
  const offset = plan.after ? 0 : plan.offset
  const isRare = isSearched(resource, plan) && (await isFoundSooner(ctx, resource, wanted, offset + plan.limit))
  const select = isRare ? pickThenRead : readInOrder
  const { rows } = await select(ctx, resource, plan, where, keys, offset).execute(ctx.db)

  const page = rows.slice(0, plan.limit)
  const last = page.at(-1)
  const cursor = rows.length > page.length && last ? writeCursor(plan, last.sort_key) : null
  const isWhole = !plan.after && !cursor && (page.length > 0 || offset === 0)
  const total = isWhole ? offset + page.length : await count(ctx, resource, matching, plan.cap)
  return { rows: page, cursor, total }
}

type Select = (
  ctx: Context,
  resource: Resource,
  plan: ListPlan,
  where: readonly RawBuilder<SqlBool>[],
  keys: readonly SortKey[],
  offset: number,
) => RawBuilder<AnyRow & { sort_key: unknown[] }>

/** Rows in their order until the page is full: the way of the database, which is good where much matches. */
const readInOrder: Select = (ctx, resource, plan, where, keys, offset) => sql`
  select ${columns(ctx, resource, namesIn(plan))},
    json_build_array(${sql.join(keys.map((key) => key.expression))}) as sort_key
  from ${sql.table(resource.table)} as t
  where ${and(where)}
  order by ${orderBy(keys)}
  limit ${plan.limit + 1} offset ${offset}`

/** All that matches first, then its order, and documents for the page alone: good where little matches. */
const pickThenRead: Select = (ctx, resource, plan, where, keys, offset) => {
  const names = keys.map((_, i) => sql.ref(`k${i}`))
  const own = sql.join(keys.map((key, i) => sql`${key.expression} as ${names[i]}`))
  const order = orderBy(keys.map((key, i) => ({ ...key, expression: sql`x.${names[i]}` })))
  return sql`
    with m as materialized (select t.id, ${own} from ${sql.table(resource.table)} as t where ${and(where)})
    select ${columns(ctx, resource, namesIn(plan))},
      json_build_array(${sql.join(names.map((name) => sql`x.${name}`))}) as sort_key
    from (select * from m as x order by ${order} limit ${plan.limit + 1} offset ${offset}) as x
    join ${sql.table(resource.table)} as t on t.id = x.id
    order by ${order}`
}

/** One object, or a 404 when there is none that the caller may see. */
export async function get(ctx: Context, resource: Resource, id: Id): Promise<AnyRow> {
  const lookup = lookupOf(ctx, resource)
  const parameters = lookup.parameters.map((value) => (value === ID ? id : value))
  const { rows } = await (ctx.lookup?.(lookup.sql, parameters) ??
    ctx.db.executeQuery<AnyRow>({ ...lookup, parameters }))
  const row = rows[0]
  if (!row) throw notFound(id)
  return row
}

/** Stands for the id in a look-up that is written once and run for many. */
const ID = Symbol('id')

/** What a caller may see is the same in all their requests; writing the statement down takes longer than running it. */
const lookups = new WeakMap<Caller, Map<Resource, CompiledQuery>>()

function lookupOf(ctx: Context, resource: Resource): CompiledQuery {
  const own = lookups.get(ctx.caller) ?? new Map<Resource, CompiledQuery>()
  const known = own.get(resource)
  if (known) return known
  const made = sql`${sql.raw(PREPARED)}
    select ${columns(ctx, resource)}
    from ${sql.table(resource.table)} as t
    where t.id = ${ID} and ${visible(ctx, resource)}`.compile(ctx.db)
  lookups.set(ctx.caller, own.set(resource, made))
  return made
}

/** A 404 unless the caller may see the object. */
export async function requireVisible(ctx: Context, resource: Resource, id: Id): Promise<void> {
  const { rows } = await sql`
    select from ${sql.table(resource.table)} as t
    where t.id = ${id} and ${visible(ctx, resource)}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(id)
}

/** The objects with these ids, in this order; those that do not exist, or not for the caller, are left out. */
export async function fetchRows(ctx: Context, resource: Resource, ids: readonly Id[]): Promise<AnyRow[]> {
  const { rows } = await sql<AnyRow>`
    select ${columns(ctx, resource)}
    from ${sql.table(resource.table)} as t
    where t.id = any(${ids}::${idType(resource.collection)}[]) and ${visible(ctx, resource)}`.execute(ctx.db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const namesIn = (plan: ListPlan): ReadonlySet<string> | null =>
  plan.attributes && new Set(plan.attributes.map((path) => path.split('.')[0] ?? ''))

/** Whether a condition asks the search index, of whose words the database may know nothing. */
const isSearched = (resource: Resource, { query, filters }: ListPlan): boolean =>
  query !== null || filters.some(({ path }) => locate(resource, path).storage.kind === 'searched')

/** What is this rare, as a share of all rows, is never walked to. */
const RARE = 0.004
/** What a row costs that is walked over, and one that the index finds. */
const WALKED_US = 5.6
const FOUND_US = 1.2

/**
 * Whether it is faster to find all that matches than to walk along the order until a page is full. The database itself walks
 * for any word that it has no statistics of, and such words are mostly those that hardly anything has.
 */
async function isFoundSooner(
  ctx: Context,
  resource: Resource,
  wanted: readonly RawBuilder<SqlBool>[],
  rows: number,
): Promise<boolean> {
  const found = await estimate(ctx, sql`select from ${sql.table(resource.table)} as t where ${and(wanted)}`)
  const share = found / Math.max(await sizeOf(ctx, resource), 1)
  return share < RARE || (rows / share) * WALKED_US > found * FOUND_US
}

const SIZE_MS = 60_000
const sizes = new WeakMap<Resource, { rows: number; at: number }>()

/** About how many rows a table has; it need not be known anew for every request. */
async function sizeOf(ctx: Context, resource: Resource): Promise<number> {
  const known = sizes.get(resource)
  if (known && Date.now() - known.at < SIZE_MS) return known.rows
  const rows = await estimate(ctx, sql`select from ${sql.table(resource.table)} as t`)
  sizes.set(resource, { rows, at: Date.now() })
  return rows
}

/** How many rows the planner expects. */
async function estimate(ctx: Context, statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<Explained>`explain (format json) ${statement}`.execute(ctx.db)
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}

/** Exact up to the cap; beyond it the planner's estimate, never below the cap. */
async function count(ctx: Context, resource: Resource, matching: RawBuilder<SqlBool>[], cap: number): Promise<number> {
  const all = sql`select 1 from ${sql.table(resource.table)} as t where ${and(matching)}`
  const limited = cap === 0 ? all : sql`${all} limit ${cap + 1}`
  const counted = await sql<{ total: number }>`select count(*) as total from (${limited}) as counted`.execute(ctx.db)
  const total = counted.rows[0]?.total ?? 0
  if (cap === 0 || total <= cap) return total
  return Math.max(cap + 1, await estimate(ctx, all))
}

interface Explained {
  'QUERY PLAN': { Plan: { 'Plan Rows': number } }[]
}
