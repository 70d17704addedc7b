import { sql } from 'kysely'
import type { Server } from '../../../server.ts'
import { type Claimed, change } from './claim.ts'

/**
 * Counts one submission against the limit of the day and notes that it is about to be made, and commits both before it is made: no crash
 * and no other process lets the vendor see more than the limit. Returns false if the limit is reached; the detonation then waits for the
 * next day in UTC.
 */
export const reserveSubmission = (
  db: Server['db'],
  claimed: Claimed,
  { rank, name }: { readonly rank: number; readonly name: string },
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ counted: number }>`
      update detonators
      set counted = case when counted_on = today.date then counted else 0 end + 1, counted_on = today.date
      from (select (clock_timestamp() at time zone 'UTC')::date as date) as today
      where id = ${claimed.detonator}
        and (detonation_per_day_limit is null or case when counted_on = today.date then counted else 0 end < detonation_per_day_limit)
      returning counted`.execute(trx)
    if (rows.length === 0) {
      const reason =
        'The limit of submissions per day is reached. It continues at midnight UTC, or once the limit is raised.'
      await change(trx, claimed, { state: 'WAITING', state_reason: reason }, { isForTomorrow: true })
      return false
    }
    await change(
      trx,
      claimed,
      { state: 'SUBMITTING', state_reason: null, rank, name },
      // An attempt that is not confirmed counts, so that a vendor which never answers is not called for ever.
      { isFailure: true, isSubmitted: true },
    )
    return true
  })
