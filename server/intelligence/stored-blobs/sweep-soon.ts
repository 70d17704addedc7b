import { sql } from 'kysely'
import { startRuns, waitingRun } from '../../background/runs.ts'
import { makeId } from '../../engine/ids.ts'
import type { Context } from '../../engine/resource.ts'
import { SWEEP } from './sweep.ts'

/** Several deletions after each other need one sweep. */
const WAIT_SECONDS = 2

/** Has what is not needed any more removed soon, after the transaction `ctx.db`; else the next daily sweep does it. */
export async function sweepSoon(ctx: Pick<Context, 'db' | 'caller' | 'taskTypes' | 'cause'>): Promise<void> {
  const type = ctx.taskTypes.get(SWEEP)
  const { rows } = await sql<{ id: number }>`
    select id from tasks where is_system and type = ${SWEEP} and is_active`.execute(ctx.db)
  const task = rows[0]?.id
  if (!type || task === undefined || (await waitingRun(ctx.db, task))) return
  const run = { id: makeId(), task, type, parameters: {}, waitSeconds: WAIT_SECONDS }
  await startRuns(ctx.db, ctx.caller.id, [run], ctx.cause)
}
