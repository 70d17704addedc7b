import { type RawBuilder, sql } from 'kysely'

/** The supported intervals of time series. */
export const INTERVALS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

/** How values that are or may be times become texts; null skips a value. */
export interface Reading {
  /** For a timestamptz. */
  moment(moment: RawBuilder<unknown>): RawBuilder<unknown>
  /** For a string, number or boolean in a document, as jsonb. */
  part(value: RawBuilder<unknown>): RawBuilder<unknown>
}

const START = 'YYYY-MM-DD"T"HH24:MI:SS'

/** Times by day, all other values unchanged. */
export const byDay: Reading = {
  moment: (moment) => inBounds(sql`(${moment} at time zone 'UTC')`, (local) => sql`to_char(${local}, 'YYYY-MM-DD')`),
  part: (value) => sql`coalesce(${byDay.moment(momentIn(value))}, ${value} #>> '{}')`,
}

/** Only times, by the start of their interval at this UTC offset. */
export const byInterval = (interval: Interval, offset: string): Reading => {
  const moment = (moment: RawBuilder<unknown>) =>
    inBounds(sql`((${moment} at time zone 'UTC') + ${offset}::interval)`, (local) =>
      startText(sql`date_trunc(${interval}::text, ${local})`, offset),
    )
  return { moment, part: (value) => moment(momentIn(value)) }
}

/** The starts of all intervals between the first and the last of these texts, limited to the latest ones. */
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

/** Only four-digit years sort correctly as texts. */
const inBounds = (local: RawBuilder<unknown>, shown: (local: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql`case when ${local} >= '0001-01-01'::timestamp and ${local} < '10000-01-01'::timestamp then ${shown(local)} end`

/** Parsing every text would be slow, and most cannot be times by their first characters. */
const momentIn = (value: RawBuilder<unknown>) => sql`case
  when jsonb_typeof(${value}) = 'string' and ${value} #>> '{}' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then moment_of(${value} #>> '{}')
end`
