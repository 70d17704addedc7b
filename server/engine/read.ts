import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { count, estimate, expect, isFoundSooner } from './count.ts'
import { isTimeout, tooBroad } from './errors.ts'
import { fetchListed } from './fetch.ts'
import { type ListPlan, locate, SCORE, writeCursor } from './query.ts'
import type { Context, Page, Resource } from './resource.ts'
import { and, isAfter, matches, orderBy, sortKeys, visible } from './select.ts'
import { type Asked, matchingOf, type Picked, walk } from './walk.ts'

/** So few rows are looked into at once, when they are found. */
const FEW = 50

/** One page of what matches, the cursor to the next, and the total. */
export async function list(caller: Context, resource: Resource, plan: ListPlan): Promise<Page> {
  const ctx = { ...caller, at: plan.at }
  if (plan.query === null) return readList(ctx, resource, plan)
  return readList(ctx, resource, plan).catch((error) => {
    throw isTimeout(error) ? tooBroad('the query takes too long.', error) : error
  })
}

async function readList(ctx: Context, resource: Resource, plan: ListPlan): Promise<Page> {
  const sought = plan.query === null ? undefined : await resource.search?.(ctx, plan.query)
  const filtered = await Promise.all(plan.filters.map((filter) => matches(ctx, resource, filter)))
  const wanted = [...filtered, ...(sought ? [sought.matches] : [])]
  if (plan.countOnly) return { rows: [], cursor: null, total: await count(ctx, resource, wanted, plan.cap) }

  const likely = sought?.likely && [visible(ctx, resource), sought.likely, ...filtered]
  const asked = { ctx, resource, plan, wanted, keys: sortKeys(ctx, resource, plan, sought?.score), likely }
  const offset = plan.after ? 0 : plan.offset
  const { picked, total } = await pick(asked, offset)

  const page = picked.slice(0, plan.limit)
  const last = page.at(-1)
  const cursor = picked.length > page.length && last ? writeCursor(plan, last.sort_key) : null
  const isWhole = !plan.after && !cursor && (page.length > 0 || offset === 0)
  const ids = page.map(({ id }) => id)
  const isThere = resource.isView || ids.length === 0
  const rows = isThere ? page : await fetchListed(ctx, resource, ids, plan.attributes)
  return { rows, cursor, total: isWhole ? offset + page.length : await total() }
}

/** Picks the rows of a page and one more; the total is there when somebody needs it. */
async function pick(
  asked: Asked,
  offset: number,
): Promise<{ picked: readonly Picked[]; total: () => Promise<number> }> {
  const { ctx, resource, plan, wanted, likely } = asked
  const total = () => count(ctx, resource, wanted, plan.cap)
  if (resource.isView || !isSearched(resource, plan)) {
    const rows = await walk(asked, offset)
    return { picked: rows, total }
  }
  const expected = await expect(ctx, resource, matchingOf(asked))
  if (await isFoundSooner(ctx, resource, expected, offset + plan.limit)) {
    // How well a row fits is in the row: then all are looked into for their order.
    if (likely && expected.rows > FEW && !plan.sort.some(({ path }) => path === SCORE)) {
      const counting = total()
      counting.catch(() => {})
      const { rows } = await lookInto(asked, likely, offset).execute(ctx.db)
      return { picked: rows, total: () => counting }
    }
    const { rows } = await findAll(asked, offset).execute(ctx.db)
    return { picked: rows, total: () => (rows[0]?.total === undefined ? total() : totalOf(asked, rows[0].total)) }
  }
  // Where it is known beforehand that the total is needed, it is counted at the same time.
  const counting = plan.after || expected.rows > offset + plan.limit ? total() : undefined
  counting?.catch(() => {})
  const rows = await walk(asked, offset)
  return { picked: rows, total: () => counting ?? total() }
}

/**
 * The total of what was counted whole. Beyond the cap it is the same estimate as for any other page: which way a page is read
 * depends on the statistics of all rows, and a total that is exact for some pages alone would tell of them.
 */
const totalOf = async ({ ctx, resource, plan: { cap }, wanted }: Asked, total: number): Promise<number> =>
  cap === 0 || total <= cap ? total : estimate(ctx, resource, wanted, cap)

/** All that matches, which is counted with it, and then its order: good where little matches. */
function findAll(asked: Asked, offset: number): RawBuilder<Picked> {
  const { found, order, sortKey, after } = inOrder(asked, matchingOf(asked))
  // What is shown of the order is made for the page alone.
  const page = sql`
    select x.* from found as x where ${after} order by ${order} limit ${asked.plan.limit + 1} offset ${offset}`
  return sql`
    with ${found}
    select x.id, ${sortKey} as sort_key, (select count(*) from found) as total
    from (${page}) as x
    order by ${order}`
}

/**
 * What is likely in its order, and then one row after the other until the page is full: good where it takes long to look into
 * a row. The scalar subquery is asked in that order; a join would ask for all.
 */
function lookInto(asked: Asked, likely: readonly RawBuilder<SqlBool>[], offset: number): RawBuilder<Picked> {
  const { resource, plan } = asked
  const { found, order, sortKey, after } = inOrder(asked, likely)
  return sql`
    with ${found}
    select x.id, ${sortKey} as sort_key
    from (select x.* from found as x where ${after} order by ${order}) as x
    where (select ${and(matchingOf(asked))} from ${sql.table(resource.table)} as t where t.id = x.id)
    order by ${order}
    limit ${plan.limit + 1} offset ${offset}`
}

/** The rows of a condition with what they are ordered by, as `found`. */
function inOrder({ resource, plan, keys }: Asked, matching: readonly RawBuilder<SqlBool>[]) {
  const known = keys.map((key, i) => ({ ...key, expression: sql`x.${sql.ref(`k${i}`)}` }))
  const own = sql.join(keys.map((key, i) => sql`${key.expression} as ${sql.ref(`k${i}`)}`))
  return {
    found: sql`found as materialized (select t.id, ${own} from ${sql.table(resource.table)} as t where ${and(matching)})`,
    order: orderBy(known),
    sortKey: sql`json_build_array(${sql.join(known.map(({ expression }) => expression))})`,
    after: plan.after ? isAfter(known, plan.after) : sql<SqlBool>`true`,
  }
}

/** Whether a condition asks the search index, of whose words the database may know nothing. */
const isSearched = (resource: Resource, { query, filters }: ListPlan): boolean =>
  query !== null || filters.some(({ path }) => locate(resource, path).storage.kind === 'searched')
