import { type RawBuilder, sql } from 'kysely'

/** The steps that a series of times can have. */
export const INTERVALS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

/** How values that stand for a moment, or may do so, become texts; null leaves one out. */
export interface Reading {
  /** Of a timestamptz. */
  moment(moment: RawBuilder<unknown>): RawBuilder<unknown>
  /** Of a string, number or boolean in a document, as jsonb. */
  part(value: RawBuilder<unknown>): RawBuilder<unknown>
}

const START = 'YYYY-MM-DD"T"HH24:MI:SS'

/** Times by the day they fall on, everything else as it is. */
export const byDay: Reading = {
  moment: (moment) => inBounds(sql`(${moment} at time zone 'UTC')`, (local) => sql`to_char(${local}, 'YYYY-MM-DD')`),
  part: (value) => sql`coalesce(${byDay.moment(momentIn(value))}, ${value} #>> '{}')`,
}

/** Times alone, by the start of the interval they fall into where the clocks show this offset. */
export const byInterval = (interval: Interval, offset: string): Reading => {
  const moment = (moment: RawBuilder<unknown>) =>
    inBounds(sql`((${moment} at time zone 'UTC') + ${offset}::interval)`, (local) =>
      startText(sql`date_trunc(${interval}::text, ${local})`, offset),
    )
  return { moment, part: (value) => moment(momentIn(value)) }
}

/** The starts of all intervals from the first of these texts to the last, so many of the latest at most. */
export const startsUpTo = (texts: RawBuilder<unknown>, interval: Interval, offset: string, most: number) => {
  const step = sql`${interval === 'quarter' ? '3 months' : `1 ${interval}`}::interval`
  return sql`
    select ${startText(sql`b.start`, offset)} as value, row_number() over (order by b.start) as position
    from (
      select min(left(x.value, 19)::timestamp) as low, max(left(x.value, 19)::timestamp) as high from (${texts}) as x
    ) as e
    cross join lateral generate_series(greatest(e.low, e.high - ${most - 1}::integer * ${step}), e.high, ${step}) as b(start)`
}

const startText = (local: RawBuilder<unknown>, offset: string) => sql`(to_char(${local}, ${START}) || ${offset}::text)`

/** Only years of four digits have an order as texts. */
const inBounds = (local: RawBuilder<unknown>, shown: (local: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql`case when ${local} >= '0001-01-01'::timestamp and ${local} < '10000-01-01'::timestamp then ${shown(local)} end`

/** Looking closer at every text would take long: most are seen to be no time by how they begin. */
const momentIn = (value: RawBuilder<unknown>) => sql`case
  when jsonb_typeof(${value}) = 'string' and ${value} #>> '{}' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then moment_of(${value} #>> '{}')
end`
