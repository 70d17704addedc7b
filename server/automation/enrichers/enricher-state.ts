import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { MAX_FAULTS } from '../circuit.ts'
import { DEFINED } from './find-function.ts'
import { functions } from './functions/functions.ts'
import { MISP_MODULE } from './functions/misp-module/misp-module.ts'
import { TABLE } from './functions/table/table-function.ts'

/** Whether an enricher looks observables up now, and if not, why. */
export const ENRICHER_STATES = ['ACTIVE', 'WAITING', 'UNREACHABLE', 'SUSPENDED', 'NOT_INSTALLED', 'INACTIVE'] as const

const isInstalled = (): RawBuilder<unknown> => sql`(
  t.enricher = any(${functions.map(({ name }) => name)}::text[])
  or starts_with(t.enricher, ${MISP_MODULE})
  or exists (select from enricher_tables as e where ${TABLE} || e.name = t.enricher)
  or exists (select from enricher_definitions as d where ${DEFINED} || d.name = t.enricher))`

/** The state of the enricher `t`. */
export const stateOf = (): RawBuilder<unknown> => sql`case
  when not t.is_active then 'INACTIVE'
  when not ${isInstalled()} then 'NOT_INSTALLED'
  when t.suspended_at is not null then 'SUSPENDED'
  when t.waits_until > now() then 'WAITING'
  when t.faults >= ${sql.lit(MAX_FAULTS)} then 'UNREACHABLE'
  else 'ACTIVE' end`

/** Why the enricher `t` is in its state, for its readers. */
export const reasonOf = (): RawBuilder<unknown> => sql`case
  when not t.is_active then null
  when not ${isInstalled()} then 'There is no function ' || quote_literal(t.enricher) || ' in this installation.'
  when t.suspended_at is not null then t.suspended_reason
  when t.waits_until > now() then t.wait_reason
  when t.faults > 0 then t.last_fault end`

export const quota = z.array(
  z.object({
    seconds: z.int().nullable().describe('The length of the window; null for the calendar month.'),
    calls: z.int().describe('How many calls it allows.'),
    used: z.int(),
    left: z.int(),
    resets_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .describe('When all calls are available again; null if none was used.'),
  }),
)

/** The time at which a part `p` of the budget `b` no longer counts, as in `budget.ts`. */
const partEnd = sql`case when b.seconds = 0
  then (date_trunc('month', to_timestamp(p.start / 1000.0) at time zone 'UTC') + interval '1 month') at time zone 'UTC'
  else to_timestamp((p.start + greatest(1, ceil(b.seconds * 1000 / 20.0)) + b.seconds * 1000.0) / 1000.0) end`

/** The windows of the enricher `t`, from the shortest, and the month last. */
export const quotaOf = (): RawBuilder<unknown> => sql`coalesce((
  select jsonb_agg(jsonb_build_object(
    'seconds', nullif(q.seconds, 0), 'calls', q.calls, 'used', q.used, 'left', greatest(0, q.calls - q.used),
    'resets_at', to_char(q.ends at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'))
    order by q.seconds = 0, q.seconds)
  from (
    select b.seconds, b.calls,
      coalesce(sum(p.used) filter (where p.ends > now()), 0)::integer as used, max(p.ends) filter (where p.ends > now()) as ends
    from enricher_budgets as b
    left join lateral (
      select p.used, ${partEnd} as ends from unnest(b.starts, b.used) as p(start, used)
    ) as p on true
    where b.enricher = t.id and b.calls is not null
    group by b.seconds, b.calls
  ) as q), '[]')`
