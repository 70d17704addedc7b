import { type Kysely, sql } from 'kysely'
import { storableText } from '../../../domain/storable-text.ts'
import type { DueRun } from './due-run.ts'

/** A playbook pauses after this many failed runs in a row. */
export const MAX_FAILURES = 5

const MAX_REASON_LENGTH = 2000

type Ending = 'SUCCESS' | 'WARNING' | 'FAILURE'

/** Ends a run, and pauses its playbook if it fails repeatedly. Runs of an earlier version say nothing about the present one. */
export async function endRun(
  db: Kysely<unknown>,
  { id, playbook, version }: Pick<DueRun, 'id' | 'playbook' | 'version'>,
  state: Ending,
  reason: string | null = null,
): Promise<void> {
  const said = reason === null ? null : storableText(reason, MAX_REASON_LENGTH)
  await sql`
    update playbook_runs
    set state = ${state}, reason = ${said}, ended_at = now(), claim = null, claimed_until = null, is_told = ${state !== 'FAILURE'}
    where id = ${id}`.execute(db)
  if (state === 'FAILURE') await countFailure(db, playbook, version, said ?? '')
  else
    await sql`update playbooks set failures = 0 where id = ${playbook} and version = ${version} and failures > 0`.execute(
      db,
    )
}

async function countFailure(db: Kysely<unknown>, playbook: number, version: number, reason: string): Promise<void> {
  const isPausing = sql`(failures + 1 >= ${sql.lit(MAX_FAILURES)} and paused_at is null)`
  await sql`
    update playbooks
    set failures = failures + 1,
      paused_at = case when ${isPausing} then now() else paused_at end,
      paused_reason = case when ${isPausing}
        then ${`The last ${MAX_FAILURES} runs failed. The latest one: ${reason}`} else paused_reason end,
      is_pause_told = not ${isPausing} and is_pause_told
    where id = ${playbook} and version = ${version}`.execute(db)
}

/** How a run ends whose steps have all been taken: a warning or a passed-over failure of a step is one of the run. */
export async function endAfterSteps(db: Kysely<unknown>, run: DueRun): Promise<void> {
  const { rows } = await sql<{ step: string; state: string; said: string }>`
    select s.step, s.state, coalesce(s.error, s.warnings[1], '') as said
    from playbook_run_steps as s
    where s.run = ${run.id} and s.state in ('WARNING', 'FAILURE')
    order by s.state, s.position
    limit 1`.execute(db)
  const [worst] = rows
  if (!worst) return endRun(db, run, 'SUCCESS')
  const what = worst.state === 'FAILURE' ? 'failed' : 'ended with a warning'
  return endRun(db, run, 'WARNING', `The step '${worst.step}' ${what}: ${worst.said}`)
}
