import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { valuesIn } from './most-frequent.ts'
import { type Interval, startsUpTo } from './readings.ts'
import type { Values } from './values.ts'

/** More series cannot be told apart in a chart. */
export const MAX_SPLITS = 20

/** What to count, and how much to return. */
export interface SeriesPlan {
  readonly where: RawBuilder<SqlBool>
  readonly group: Values | undefined
  readonly isGroupTime: boolean
  /** Null for a single series. */
  readonly split: { readonly values: Values | undefined; readonly isTime: boolean } | null
  readonly order: 'count' | 'value'
  readonly limit: number
  /** The interval for filling gaps. */
  readonly fill: { readonly interval: Interval; readonly offset: string } | null
}

export interface Series {
  /** Values in the order of the response. */
  readonly groups: readonly string[]
  readonly splits: readonly string[]
  /** Group, split and count; null stands for all values beyond the limit. */
  readonly cells: readonly (readonly [string | null, string | null, number])[]
  /** The number of matching entities, with or without values in the fields. */
  readonly total: number
}

const NONE: Values = { joins: sql``, value: sql`null::text`, isRepeated: false }
const ONE: Values = { joins: sql``, value: sql`'_single'::text`, isRepeated: false }

/** Counts entities by one field, or by pairs of values of two fields. */
export async function findSeries(ctx: Context, plan: SeriesPlan): Promise<Series> {
  const { where, group = NONE, isGroupTime, split, order, limit, fill } = plan
  const other = split ? (split.values ?? NONE) : ONE
  const groups = fill
    ? startsUpTo(sql`select g as value from cells`, fill.interval, fill.offset, limit)
    : ranked('g', order, isGroupTime, limit)
  const { rows } = await sql<Series>`
    with cells as materialized (
      select v.g, v.s, count(*) as count
      from (${valuesIn({ table: sql.table('entities'), where }, { g: group, s: other })}) as v
      where v.g <> '' and v.s <> ''
      group by v.g, v.s
    ),
    groups as materialized (${groups}),
    splits as materialized (${ranked('s', split?.isTime ? 'value' : 'count', split?.isTime ?? false, MAX_SPLITS)}),
    found as (
      select k.value as g, p.value as s, sum(c.count) as count
      from cells as c left join groups as k on k.value = c.g left join splits as p on p.value = c.s
      group by k.value, p.value
    )
    select
      (select coalesce(json_agg(value order by position), '[]') from groups) as groups,
      (select coalesce(json_agg(value order by position), '[]') from splits) as splits,
      (select coalesce(json_agg(json_build_array(g, s, count)), '[]') from found) as cells,
      (select count(*) from entities as t where ${where}) as total`.execute(ctx.db)
  return rows[0] ?? { groups: [], splits: [], cells: [], total: 0 }
}

/** The values to return individually: the most frequent, the first or, for times, the latest. */
function ranked(column: 'g' | 's', order: 'count' | 'value', isTime: boolean, limit: number): RawBuilder<unknown> {
  const own = sql.ref(column)
  const select = (position: RawBuilder<unknown>, first: RawBuilder<unknown>) => sql`
    select ${own} as value, ${position} as position from cells group by ${own} order by ${first} limit ${limit}`
  if (order === 'value' && isTime) return select(sql`row_number() over (order by ${own})`, sql`${own} desc`)
  const by =
    order === 'count'
      ? sql`sum(count) desc, ${own}`
      : sql`case when ${own} ~ '^-?[0-9]{1,250}([.][0-9]{1,250})?$' then ${own}::numeric end nulls last, ${own}`
  return select(sql`row_number() over (order by ${by})`, sql`position`)
}
