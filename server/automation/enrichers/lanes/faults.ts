import { type Kysely, type RawBuilder, sql } from 'kysely'
import { storableText } from '../../../domain/storable-text.ts'
import { MAX_FAULTS } from '../enricher-state.ts'
import type { EnricherError } from '../function.ts'
import type { Full } from '../reserve.ts'
import type { Work } from './work.ts'

/** After this many consecutive faults, runs no longer wait for the source. */
export const HOPELESS_FAULTS = MAX_FAULTS + 3
/** Runs wait for limits that are free again within this time. */
export const MAX_WAIT_SECONDS = 3600

const DEFAULT_PAUSE_SECONDS = 60
/** A source that asks to wait for longer is called again after a day. */
const MAX_PAUSE_SECONDS = 86_400
/** A limit that never allows a call is asked for again after this time, in case that it was changed in the database. */
const NEVER_SECONDS = 31 * 86_400

const limitText = (text: string): string => storableText(text, 2000)

/**
 * The source refuses the account: nothing is called until a user changes or resumes the enricher, who is notified. If it was changed since
 * the call, the refusal was about the parameters of before.
 */
export async function suspend(
  db: Kysely<unknown>,
  { id, enricher, parameters, parameter_secrets }: Pick<Work, 'id' | 'enricher' | 'parameters' | 'parameter_secrets'>,
  reason: string,
): Promise<void> {
  await sql`
    update enrichers
    set suspended_at = now(), suspended_reason = ${limitText(reason)}, is_suspension_told = false
    where id = ${id} and suspended_at is null and enricher = ${enricher}
      and parameters = ${JSON.stringify(parameters)}::jsonb and parameter_secrets is not distinct from ${parameter_secrets}`.execute(
    db,
  )
}

/** The source asks to be left alone for a while. */
export const pauseFor = (db: Kysely<unknown>, enricher: number, { message, retryAfterSeconds }: EnricherError) =>
  waitUntil(db, enricher, Math.min(MAX_PAUSE_SECONDS, retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS), message)

/** One of its own limits is reached, unless the limit was changed since. */
export const waitForLimit = (db: Kysely<unknown>, enricher: number, full: Full, message: string) =>
  waitUntil(
    db,
    enricher,
    full.until === null ? NEVER_SECONDS : full.milliseconds / 1000,
    message,
    sql`exists (
      select from enricher_budgets as b
      where b.enricher = enrichers.id and b.seconds = ${full.seconds}::integer and b.calls = ${full.calls}::integer)`,
  )

async function waitUntil(
  db: Kysely<unknown>,
  enricher: number,
  seconds: number,
  reason: string,
  isStill: RawBuilder<unknown> = sql`true`,
): Promise<void> {
  await sql`
    update enrichers
    set waits_until = greatest(waits_until, now() + make_interval(secs => ${Math.max(0, seconds)})), wait_reason = ${limitText(reason)}
    where id = ${enricher} and ${isStill}`.execute(db)
}

/**
 * The source failed. From the third time in a row, it is left alone for a minute, then two, four and at most an hour. Calls that were made at
 * the same time and fail once it is left alone do not count, because otherwise a short outage would count as often as calls run at once.
 */
export async function countFault(db: Kysely<unknown>, enricher: number, reason: string): Promise<void> {
  await sql`
    update enrichers
    set faults = faults + 1, last_fault = ${limitText(reason)},
      open_until = case when faults + 1 >= ${sql.lit(MAX_FAULTS)}
        then now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(10, faults + 1 - ${sql.lit(MAX_FAULTS)})) end
    where id = ${enricher} and not (faults >= ${sql.lit(MAX_FAULTS)} and open_until > now())`.execute(db)
}

/** The source answered. */
export async function countSuccess(db: Kysely<unknown>, enricher: number): Promise<void> {
  await sql`
    update enrichers set faults = 0, open_until = null, last_fault = null, waits_until = null, wait_reason = null
    where id = ${enricher} and (faults > 0 or waits_until <= now())`.execute(db)
}
