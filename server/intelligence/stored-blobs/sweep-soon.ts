import { sql } from 'kysely'
import { startRuns, waitingRun } from '../../background/runs.ts'
import type { Context } from '../../engine/context.ts'
import { makeId } from '../../engine/ids.ts'
import { SWEEP } from './sweep.ts'

/** Several deletions in a row share one sweep. */
const WAIT_SECONDS = 2

/** Starts a run that removes unused blobs soon after the transaction `ctx.db`. Without it, the daily sweep removes them. */
export async function sweepSoon(ctx: Pick<Context, 'db' | 'caller' | 'taskTypes' | 'cause'>): Promise<void> {
  const type = ctx.taskTypes.get(SWEEP)
  const { rows } = await sql<{ id: number }>`
    select id from tasks where is_system and type = ${SWEEP} and is_active`.execute(ctx.db)
  const task = rows[0]?.id
  if (!type || task === undefined || (await waitingRun(ctx.db, task))) return
  const run = { id: makeId(), task, type, parameters: {}, waitSeconds: WAIT_SECONDS }
  await startRuns(ctx.db, ctx.caller.id, [run], ctx.cause)
}
