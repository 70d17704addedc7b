import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AnyRow, Context } from './context.ts'
import type { Resource } from './definition.ts'
import type { ListPlan } from './list-plan.ts'
import { and, columns, isAfter, orderBy, type SortKey, visible, visibleOne } from './select.ts'
import type { Along } from './storage.ts'

type Condition = RawBuilder<SqlBool>

/** A list to be read: its conditions and its order. */
export interface Asked {
  readonly ctx: Context
  readonly resource: Resource
  readonly plan: ListPlan
  /** All conditions except visibility: first one for each filter of the plan. */
  readonly wanted: readonly Condition[]
  readonly keys: readonly SortKey[]
  /** Weaker conditions that indexes answer, if they exist. */
  readonly likely: readonly Condition[] | undefined
}

export interface Picked extends AnyRow {
  readonly sort_key: unknown[]
  readonly total?: number
}

/** All conditions on a row of a list. */
export const matchingOf = ({ ctx, resource, wanted }: Asked): readonly Condition[] => [
  visible(ctx, resource),
  ...wanted,
]

/** How many rows are checked one by one before all matches are found at once. */
const ROWS_CHECKED_FIRST = 5000

/**
 * Reads rows in order until the page is full, which is fast where many rows match. Where checking single rows is cheaper than
 * finding all visible ones, the next few thousand are checked first. They do not fill the page of a caller who sees few rows, or
 * of a search for something rare.
 */
export async function walk(asked: Asked, offset: number): Promise<readonly Picked[]> {
  const { ctx, plan } = asked
  const near = nearby(asked, offset)
  const first = near ? (await near.execute(ctx.db)).rows : []
  if (first.length > plan.limit) return first
  const [{ along } = {}] = asked.keys
  const all = along && isAlone(asked) ? gathered(asked, along, offset) : walkAll(asked, offset)
  return (await all.execute(ctx.db)).rows
}

/** Whether rows are sorted by one key and the id. */
const isAlone = ({ keys }: Asked): boolean => keys.length === 2

function nearby(asked: Asked, offset: number): RawBuilder<Picked> | undefined {
  const { ctx, resource, wanted, keys } = asked
  const [first] = keys
  if (first?.along && isAlone(asked)) {
    const { all } = first.along
    if (!all) return undefined
    // The index also has values of the row that the caller does not see.
    const isOwn = sql<SqlBool>`w.value = ${first.expression}`
    const entries = sql`
      select distinct w.value, w.id from (${all}) as w
      where ${and(ahead(asked))}
      order by ${orderBy(entryKeys(asked))}
      limit ${ROWS_CHECKED_FIRST}`
    return pageOf(asked, offset, entries, [isOwn, visibleOne(ctx, resource), ...others(asked)])
  }
  if (!resource.visibility?.rowCondition) return undefined
  const rows = sql`
    select t.* from ${sql.table(resource.table)} as t
    where ${and([...wanted, ...after(asked, keys)])}
    order by ${orderBy(keys)}
    limit ${ROWS_CHECKED_FIRST}`
  return sql`
    select t.id, ${sortKey(keys)} as sort_key
    from (${rows}) as t
    where ${visibleOne(ctx, resource)}
    order by ${orderBy(keys)}
    ${slice(asked, offset)}`
}

function walkAll(asked: Asked, offset: number): RawBuilder<Picked> {
  const { ctx, resource, keys } = asked
  return sql`
    select ${resource.isView ? columns(ctx, resource) : sql`t.id`}, ${sortKey(keys)} as sort_key
    from ${sql.table(resource.table)} as t
    where ${and([...matchingOf(asked), ...after(asked, keys)])}
    order by ${orderBy(keys)}
    ${slice(asked, offset)}`
}

/** Reads the rows in the order of their values, from the rows of all objects that the caller sees. */
function gathered(asked: Asked, { seen, takes }: Along, offset: number): RawBuilder<Picked> {
  const values = sql`
    select w.value, w.id
    from (select v.id, ${sql.raw(takes)}(v.value) as value from (${seen(asked.ctx)}) as v group by v.id) as w
    where ${and(ahead(asked))}`
  return pageOf(asked, offset, values, others(asked))
}

/** A page of the rows with these values that fulfil the conditions. */
const pageOf = (
  asked: Asked,
  offset: number,
  values: RawBuilder<unknown>,
  conditions: readonly Condition[],
): RawBuilder<Picked> => sql`
  select t.id, ${sortKey(entryKeys(asked))} as sort_key
  from (${values}) as w
  join ${sql.table(asked.resource.table)} as t on t.id = w.id
  where ${and(conditions)}
  order by ${orderBy(entryKeys(asked))}
  ${slice(asked, offset)}`

/** The conditions on the values themselves: the start of the page, and filters on the sort key. */
const ahead = (asked: Asked): readonly Condition[] => [
  ...after(asked, entryKeys(asked)),
  ...asked.plan.filters
    .filter((filter) => isBound(asked, filter))
    .map(
      ({ operator, values }) =>
        sql<SqlBool>`w.value ${sql.raw(operator)} any(${values}::${sql.raw(asked.keys[0]?.type ?? 'text')}[])`,
    ),
]

/** The conditions that do not restrict the values. */
const others = (asked: Asked): readonly Condition[] =>
  asked.wanted.filter((_, i) => {
    const filter = asked.plan.filters[i]
    return !filter || !isBound(asked, filter)
  })

const isBound = ({ plan }: Asked, { path, operator, values }: ListPlan['filters'][number]): boolean =>
  path === plan.sort[0]?.path && operator !== '!' && !values.includes(null)

const after = ({ plan }: Asked, keys: readonly SortKey[]): readonly Condition[] =>
  plan.after ? [isAfter(keys, plan.after)] : []

const entryKeys = ({ keys }: Asked): SortKey[] =>
  keys.map((key, i) => ({ ...key, expression: i === 0 ? sql`w.value` : sql`w.id` }))

const sortKey = (keys: readonly SortKey[]): RawBuilder<unknown> =>
  sql`json_build_array(${sql.join(keys.map(({ expression }) => expression))})`

const slice = ({ plan }: Asked, offset: number): RawBuilder<unknown> => sql`limit ${plan.limit + 1} offset ${offset}`
