import { type Kysely, type RawBuilder, sql } from 'kysely'
import { storableText } from '../domain/storable-text.ts'

/** Consecutive faults after which a circuit opens. */
export const MAX_FAULTS = 3

/** The tables whose rows call a server and remember its faults. */
export type Callers = 'enrichers' | 'detonators'

const DEFAULT_PAUSE_SECONDS = 60
/** A server that asks to wait for longer is called again after a day. */
const MAX_PAUSE_SECONDS = 86_400

const limitText = (text: string): string => storableText(text, 2000)

/** Whether the row `alias` may call its server now. */
export const isOpen = (alias: string): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(${column('is_active')} and ${column('suspended_at')} is null
    and (${column('waits_until')} is null or ${column('waits_until')} <= now())
    and (${column('faults')} < ${sql.lit(MAX_FAULTS)} or ${column('open_until')} is null or ${column('open_until')} <= now()))`
}

/** When the row `t` continues on its own. */
export const resumesAt = sql`case
  when not t.is_active or t.suspended_at is not null then null
  else nullif(greatest(
    case when t.waits_until > now() then t.waits_until end,
    case when t.faults >= ${sql.lit(MAX_FAULTS)} and t.open_until > now() then t.open_until end), null) end`

/** What happens to the row of a table after its server answered or failed. */
export const circuitOf = (table: Callers) => {
  const owner = sql.table(table)
  const waitUntil = async (
    db: Kysely<unknown>,
    id: number,
    seconds: number,
    reason: string,
    isStill: RawBuilder<unknown> = sql`true`,
  ): Promise<void> => {
    await sql`
      update ${owner}
      set waits_until = greatest(waits_until, now() + make_interval(secs => ${Math.max(0, seconds)})), wait_reason = ${limitText(reason)}
      where id = ${id} and ${isStill}`.execute(db)
  }
  return {
    waitUntil,

    /** The server asks to be left alone for a while. */
    pauseFor: (
      db: Kysely<unknown>,
      id: number,
      { message, retryAfterSeconds }: Error & { readonly retryAfterSeconds?: number | undefined },
    ) => waitUntil(db, id, Math.min(MAX_PAUSE_SECONDS, retryAfterSeconds ?? DEFAULT_PAUSE_SECONDS), message),

    /**
     * The server refuses the account: nothing is called until a user changes or resumes the row, and is notified. `isSame` is false if the
     * row was changed since the call: the refusal was then about what it was before.
     */
    suspend: async (db: Kysely<unknown>, id: number, reason: string, isSame: RawBuilder<unknown>): Promise<void> => {
      await sql`
        update ${owner}
        set suspended_at = now(), suspended_reason = ${limitText(reason)}, is_suspension_told = false
        where id = ${id} and suspended_at is null and ${isSame}`.execute(db)
    },

    /**
     * The server failed. From the third time in a row, it is left alone for a minute, then two, four and at most an hour. Calls that were
     * made at the same time and fail once it is left alone do not count, because otherwise a short outage would count as often as calls run
     * at once.
     */
    countFault: async (db: Kysely<unknown>, id: number, reason: string): Promise<void> => {
      await sql`
        update ${owner}
        set faults = faults + 1, last_fault = ${limitText(reason)},
          open_until = case when faults + 1 >= ${sql.lit(MAX_FAULTS)}
            then now() + least(interval '1 hour', interval '1 minute' * 2 ^ least(10, faults + 1 - ${sql.lit(MAX_FAULTS)})) end
        where id = ${id} and not (faults >= ${sql.lit(MAX_FAULTS)} and open_until > now())`.execute(db)
    },

    /** The server answered. */
    countSuccess: async (db: Kysely<unknown>, id: number): Promise<void> => {
      await sql`
        update ${owner} set faults = 0, open_until = null, last_fault = null, waits_until = null, wait_reason = null
        where id = ${id} and (faults > 0 or waits_until <= now())`.execute(db)
    },

    /** Ends suspensions, waits and open circuits, so that the next call is made at once. */
    resume: async (db: Kysely<unknown>, ids: readonly (string | number)[]): Promise<void> => {
      await sql`
        update ${owner}
        set suspended_at = null, suspended_reason = null, is_suspension_told = true, waits_until = null, wait_reason = null,
          faults = 0, open_until = null, last_fault = null
        where id = any(${ids}::integer[])`.execute(db)
    },
  }
}
