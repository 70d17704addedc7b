import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from './context.ts'
import { count, estimate, expect, isFoundSooner, sizeOf } from './count.ts'
import type { Page, Resource } from './definition.ts'
import { isTimeout, tooBroad } from './errors.ts'
import { fetchListed } from './fetch.ts'
import type { ListPlan } from './list-plan.ts'
import { locate, SCORE, writeCursor } from './query.ts'
import { and, isAfter, matches, orderBy, remaining, sortKeys, visible } from './select.ts'
import type { Storage } from './storage.ts'
import { type Asked, matchingOf, type Picked, walk } from './walk.ts'

/** Up to this many matches are checked as soon as they are found. */
const MAX_IMMEDIATE_CHECKS = 50

/** Reads one page of the matches, the cursor of the next, and the total. */
export async function list(caller: Context, resource: Resource, plan: ListPlan): Promise<Page> {
  const ctx = { ...caller, at: plan.at }
  if (plan.query === null) return readList(ctx, resource, plan)
  return readList(ctx, resource, plan).catch((error) => {
    throw isTimeout(error) ? tooBroad('the query takes too long.', error) : error
  })
}

async function readList(ctx: Context, resource: Resource, plan: ListPlan): Promise<Page> {
  const sought = plan.query === null ? undefined : await resource.search?.query?.(ctx, plan.query)
  const filtered = await Promise.all(plan.filters.map((filter) => matches(ctx, resource, filter)))
  const matching = [...filtered, ...(sought ? [sought.matches] : [])]
  // An exact count reads all matches, everything else stops early.
  const form = plan.countOnly && plan.cap === 0 ? 'condition' : 'rowCondition'
  const wanted = [...matching, ...remaining(ctx, resource, plan.reduction, matching, form)]
  if (plan.countOnly) return { rows: [], cursor: null, total: await count(ctx, resource, wanted, plan.cap) }

  const likely = sought?.likely && [visible(ctx, resource), sought.likely, ...filtered]
  const keys = sortKeys(ctx, resource, plan, sought?.score)
  const asked = { ctx, resource, plan, wanted, keys, likely }
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

/** Picks the rows of a page and one more. The total is computed on demand. */
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
  if (isFoundSooner(expected, await sizeOf(ctx, resource), offset + plan.limit)) {
    // The score depends on the row, so that sorting by it has to check all rows.
    if (likely && expected.rows > MAX_IMMEDIATE_CHECKS && !plan.sort.some(({ path }) => path === SCORE)) {
      const counting = total()
      counting.catch(() => {})
      const { rows } = await lookInto(asked, likely, offset).execute(ctx.db)
      return { picked: rows, total: () => counting }
    }
    const { rows } = await findAll(asked, offset).execute(ctx.db)
    return { picked: rows, total: () => (rows[0]?.total === undefined ? total() : totalOf(asked, rows[0].total)) }
  }
  // If it is known that the total will be needed, it is counted in parallel.
  const counting = plan.after || expected.rows > offset + plan.limit ? total() : undefined
  counting?.catch(() => {})
  const rows = await walk(asked, offset)
  return { picked: rows, total: () => counting ?? total() }
}

/**
 * The total of matches that were all counted. Beyond the cap it is the same estimate as for any other page: how a page is read
 * depends on the statistics of all rows, which a total that is exact for some pages only would reveal.
 */
const totalOf = async ({ ctx, resource, plan: { cap }, wanted }: Asked, total: number): Promise<number> =>
  cap === 0 || total <= cap ? total : estimate(ctx, resource, wanted, cap)

/** Finds and counts all matches, then sorts them: fast if there are few. */
function findAll(asked: Asked, offset: number): RawBuilder<Picked> {
  const { found, order, sortKey, after } = inOrder(asked, matchingOf(asked))
  // The sort keys in the response are built for the page only.
  const page = sql`
    select x.* from found as x where ${after} order by ${order} limit ${asked.plan.limit + 1} offset ${offset}`
  return sql`
    with ${found}
    select x.id, ${sortKey} as sort_key, (select count(*) from found) as total
    from (${page}) as x
    order by ${order}`
}

/**
 * Sorts likely matches, then checks one row after another until the page is full: fast if checking a row is
 * slow. The scalar subquery is evaluated in that order; a join would evaluate all rows.
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

/** The rows that fulfil the conditions, with their sort keys, as `found`. */
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

/** Whether a condition uses the search index, for whose words the database may have no statistics. */
const isSearched = (resource: Resource, { query, filters }: ListPlan): boolean =>
  query !== null || filters.some(({ path }) => isOfIndex(locate(resource, path).storage))

const isOfIndex = (storage: Storage): boolean => storage.kind === 'searched' && storage.values === undefined
