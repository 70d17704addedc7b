import { type Kysely, sql } from 'kysely'
import type { Id } from '../../engine/reference.ts'
import { type Budget, freeAt, MONTH, take } from './budget.ts'

/** Stores the limits of enrichers as budgets. What was used of a limit that is gone is kept, in case that it returns. */
export async function keepBudgets(db: Kysely<unknown>, ids: readonly Id[]): Promise<void> {
  await sql`
    with wanted as (
      select e.id as enricher, w.seconds, min(w.calls) as calls
      from enrichers as e
      cross join lateral (
        select (l.value ->> 'seconds')::integer as seconds, (l.value ->> 'calls')::integer as calls
        from jsonb_array_elements(e.limits) as l(value)
        union all
        select 1, e.rate_limit where e.rate_limit is not null
        union all
        select ${MONTH}::integer, e.execution_cap where e.execution_cap is not null
      ) as w
      where e.id = any(${ids}::integer[])
      group by e.id, w.seconds
    ), gone as (
      update enricher_budgets as b set calls = null
      where b.enricher = any(${ids}::integer[])
        and not exists (select from wanted as w where w.enricher = b.enricher and w.seconds = b.seconds)
    )
    insert into enricher_budgets (enricher, seconds, calls)
    select enricher, seconds, calls from wanted order by enricher, seconds
    on conflict (enricher, seconds) do update set calls = excluded.calls`.execute(db)
}

interface Row {
  readonly seconds: number
  readonly calls: number
  readonly starts: readonly number[]
  readonly used: readonly number[]
  readonly now: number
}

/** A call that may be made now, or the time before which none fits, and the window that is full. */
export type Reservation = { readonly isReserved: true } | { readonly isReserved: false; readonly full: Full }

export interface Full {
  /** Null if never. */
  readonly until: Date | null
  readonly milliseconds: number
  readonly seconds: number
  readonly calls: number
}

/**
 * Counts one call against all limits of an enricher and commits that, before the call is made: no crash and no other process lets it
 * exceed a limit. `needed` is the number of calls that must fit.
 */
export const reserveCall = (db: Kysely<unknown>, enricher: number, needed = 1): Promise<Reservation> =>
  db.transaction().execute(async (trx) => {
    const rows = await lockBudgets(trx, enricher)
    const budgets = rows.map(budgetOf)
    const now = rows[0]?.now ?? 0
    const [latest] = budgets
      .map((budget) => ({ budget, free: freeAt(budget, now, needed) }))
      .filter(({ free }) => free > now)
      .sort((a, b) => b.free - a.free)
    if (latest) return { isReserved: false, full: fullOf(latest.budget, latest.free, now) }
    const taken = budgets.map((budget) => take(budget, now))
    if (taken.length > 0) await store(trx, enricher, taken)
    await sql`update enrichers set last_call_at = now() where id = ${enricher}`.execute(trx)
    return { isReserved: true }
  })

async function lockBudgets(db: Kysely<unknown>, enricher: number): Promise<Row[]> {
  // The enricher first, as saving it does: otherwise the two could wait for each other.
  await sql`select from enrichers where id = ${enricher} for no key update`.execute(db)
  // The time is read once the rows are locked, so that it never runs behind that of another process.
  await sql`select from enricher_budgets where enricher = ${enricher} order by seconds for update`.execute(db)
  const { rows } = await sql<Row>`
    select seconds, calls, to_jsonb(starts) as starts, used, floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now
    from enricher_budgets
    where enricher = ${enricher} and calls is not null
    order by seconds`.execute(db)
  return rows
}

const budgetOf = ({ seconds, calls, starts, used }: Row): Budget => ({
  seconds,
  calls,
  parts: starts.map((start, i) => ({ start, used: used[i] ?? 0 })),
})

const fullOf = ({ seconds, calls }: Budget, free: number, now: number): Full => ({
  until: Number.isFinite(free) ? new Date(free) : null,
  milliseconds: free - now,
  seconds,
  calls,
})

async function store(db: Kysely<unknown>, enricher: number, budgets: readonly Budget[]): Promise<void> {
  const rows = budgets.map(({ seconds, parts }) => ({
    seconds,
    starts: parts.map(({ start }) => start),
    used: parts.map(({ used }) => used),
  }))
  await sql`
    update enricher_budgets as b set starts = i.starts, used = i.used
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(seconds integer, starts bigint[], used integer[])
    where b.enricher = ${enricher} and b.seconds = i.seconds`.execute(db)
}
