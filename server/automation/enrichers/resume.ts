import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'

/** Ends suspensions, waits and open circuits, so that the next look-up starts at once. The limits stay. */
export async function resumeEnrichers({ db }: Pick<Context, 'db'>, ids: readonly Id[]): Promise<void> {
  await sql`
    update enrichers
    set suspended_at = null, suspended_reason = null, is_suspension_told = true, waits_until = null, wait_reason = null,
      faults = 0, open_until = null, last_fault = null
    where id = any(${ids}::integer[])`.execute(db)
}
