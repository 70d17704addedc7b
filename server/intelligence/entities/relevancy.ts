import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'

/** The relevancy of the entity `t` at the time of a context; null if the start of its threat is unknown. */
export function relevancyOf({ at }: Pick<Context, 'at'>): RawBuilder<unknown> {
  const now = at === undefined ? sql`now()` : sql`${at}::timestamptz`
  return sql`case when t.threat_start is not null then power(2::float8, -least(
    greatest(extract(epoch from ${now} - t.threat_start)::float8, 0) / (t.half_life * 86400.0::float8), 1000)) end`
}
