import { sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { conflict } from '../../../engine/errors.ts'
import type { Id } from '../../../engine/reference.ts'
import { AS_IT_IS } from './records.ts'
import { UNDER_WAY } from './states.ts'

/**
 * Ends a detonation for the caller. It goes on if others asked for it, and otherwise is not looked at any more; what the vendor has received,
 * it keeps.
 */
export async function cancel(ctx: Context, id: Id): Promise<void> {
  const { rows } = await sql<{ state: string }>`
    select state from detonations where id = ${id}::uuid for update`.execute(ctx.db)
  const state = rows[0]?.state ?? ''
  const { rows: own } = await sql`
    update detonation_requesters as r set outcome = 'CANCELLED', reason = null, is_told = true, ${AS_IT_IS}
    from detonations as t
    where t.id = ${id}::uuid and r.detonation = t.id and r."user" = ${ctx.caller.id} and r.outcome is null
      and ${UNDER_WAY.some((each) => each === state)}
    returning r.id`.execute(ctx.db)
  if (own.length === 0) throw conflict('The detonation has ended, or you did not ask for it.')
  await sql`
    update detonations as t
    set state = 'CANCELLED', state_reason = null, finished_at = now(), claim = null, claimed_until = null
    where t.id = ${id}::uuid
      and not exists (select from detonation_requesters as r where r.detonation = t.id and r.outcome is null)`.execute(
    ctx.db,
  )
}
