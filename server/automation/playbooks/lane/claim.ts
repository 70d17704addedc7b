import { type Kysely, sql } from 'kysely'
import { isDue } from '../../claims.ts'
import { UNDER_WAY } from '../../detonators/detonations/states.ts'

/** A run that this process has claimed. */
export interface ClaimedRun {
  readonly id: string
  /** Fences the effects: only the process that holds the run under this value may take its next step. */
  readonly claim: string
}

/** Longer than a call to another server may take. While a step is in its transaction, the run is locked. */
export const LEASE = sql`now() + interval '60 seconds'`

/** Claims runs that are due. An attempt whose lease expired counts: its process died, or the step did not end. */
export async function claimRuns(db: Kysely<unknown>, claim: string, most: number): Promise<ClaimedRun[]> {
  if (most <= 0) return []
  const { rows } = await sql<ClaimedRun>`
    with due as materialized (
      select r.id
      from playbook_runs as r join playbooks as p on p.id = r.playbook
      where r.ended_at is null and ${isDue('r')}
        -- A paused playbook begins nothing, but what it began goes on.
        and (r.state <> 'PENDING' or r.cause = 'manual' or p.paused_at is null)
      order by r.due_at, r.id
      limit ${most}
      for update of r skip locked
    )
    update playbook_runs as r
    set claim = ${claim}::uuid, claimed_until = ${LEASE}, attempts = r.attempts + (r.claim is not null)::integer
    from due
    where r.id = due.id
    returning r.id, r.claim`.execute(db)
  return rows
}

/** Gives a run back, to be looked at again after a pause. */
export async function releaseRun(
  db: Kysely<unknown>,
  { id, claim }: ClaimedRun,
  { isCounted, pauseSeconds = 0 }: { readonly isCounted: boolean; readonly pauseSeconds?: number },
): Promise<void> {
  await sql`
    update playbook_runs
    set claim = null, claimed_until = null, attempts = attempts + ${isCounted ? 1 : 0}::integer,
      due_at = now() + make_interval(secs => ${pauseSeconds})
    where id = ${id} and claim = ${claim}::uuid`.execute(db)
}

/**
 * Lets runs go on whose step waits for a task run that has ended, or for detonations that have all ended for the owner of the playbook. Times
 * would not tell: what ends in a long transaction bears the time of its beginning. A look that failed waits for its pause.
 */
export async function wakeWaiting(db: Kysely<unknown>): Promise<void> {
  await sql`
    update playbook_runs as r set due_at = now()
    from playbook_run_steps as s, playbooks as p
    where r.state = 'WAITING' and r.ended_at is null and r.due_at > now() and r.claim is null and r.attempts = 0
      and s.run = r.id and s.position = r.position and s.state = 'WAITING' and p.id = r.playbook
      and case
        when s.waits_for ->> 'task_run' is not null then not exists (
          select from task_runs as t where t.id = (s.waits_for ->> 'task_run')::uuid and t.ended_at is null)
        when s.waits_for -> 'detonations' is not null then not exists (
          select from jsonb_array_elements_text(s.waits_for -> 'detonations') as w(id)
          join detonations as d on d.id = w.id::uuid
          join detonation_requesters as q on q.detonation = d.id and q."user" = p.owner
          where coalesce(q.outcome, d.state) = any(${[...UNDER_WAY]}::text[]))
        else false end`.execute(db)
}
