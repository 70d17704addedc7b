import { type Kysely, sql } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import type { Cause } from '../engine/cause.ts'
import type { Item } from '../engine/context.ts'
import { type Changed, QUEUE } from './queue.ts'

/** One attempt to execute a run. */
export interface Attempt {
  readonly id: string
  readonly type: string
  readonly parameters: Item
  readonly log: readonly string[]
  readonly caller: number | null
  readonly cause: Cause | null
  /** Counts from 1. */
  readonly attempt: number
  readonly hasRetries: boolean
}

/** The progress and log of an attempt. */
export interface Report {
  readonly log: readonly string[]
  readonly progress: number
}

/**
 * The end of an attempt: a result as JSON, or an error. A RETRY that the run did not cause does not count, and follows soon. A run that
 * is WAITING stays open without a job.
 */
export type Ending =
  | { readonly state: 'WAITING' }
  | { readonly state: 'SUCCESS' | 'WARNING' | 'CAP_REACHED'; readonly result: string }
  | { readonly state: 'RETRY'; readonly error: string; readonly isCounted: boolean }
  | { readonly state: 'FAILURE'; readonly error: string }

const LOST = 'The worker that ran this stopped answering.'

/** The attempt as a job of the queue, which refuses attempts that are no longer current. */
export const claimOf = ({ id, attempt }: Pick<Attempt, 'id' | 'attempt'>) => ({ id, retryCount: attempt - 1 })

/** Takes up to `limit` jobs and marks their runs as started, in one transaction. */
export async function claim(db: Kysely<unknown>, boss: PgBoss, limit: number): Promise<Attempt[]> {
  return db.transaction().execute(async (trx) => {
    const within = { db: fromKysely(trx) }
    const jobs = await boss.fetch(QUEUE, { batchSize: limit, includeMetadata: true, ...within })
    if (jobs.length === 0) return []
    const fetched = jobs.map(({ id, retryCount, retryLimit }) => ({
      id,
      attempt: retryCount + 1,
      has_retries: retryCount < retryLimit,
    }))
    const { rows } = await sql<Attempt>`
      update task_runs as r
      set state = 'STARTED', attempt = i.attempt, progress = 0, error_detail = null,
        started_at = coalesce(r.started_at, now()), last_updated_at = now(),
        log = case when r.state = 'STARTED' then r.log || ${LOST}::text else r.log end
      from jsonb_to_recordset(${JSON.stringify(fetched)}::jsonb) as i(id uuid, attempt integer, has_retries boolean),
        tasks as t
      where r.id = i.id and r.ended_at is null and t.id = r.task
      returning r.id, r.attempt, r.parameters, r.log, r.created_by as caller, r.cause, t.type,
        i.has_retries as "hasRetries"`.execute(trx)
    const started = new Set(rows.map(({ id }) => id))
    const strays = jobs.filter(({ id }) => !started.has(id))
    if (strays.length > 0) await boss.cancel(QUEUE, strays, within)
    return rows
  })
}

/** Stores the progress and logs of running attempts. */
export async function writeReports(
  db: Kysely<unknown>,
  reports: readonly (Report & Pick<Attempt, 'id' | 'attempt'>)[],
): Promise<void> {
  const rows = reports.map(({ id, attempt, progress, log }) => ({ id, attempt, progress, log }))
  await sql`
    update task_runs as r
    set progress = i.progress, log = i.log, last_updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(id uuid, attempt integer, progress real, log text[])
    where r.id = i.id and r.state = 'STARTED' and r.attempt = i.attempt`.execute(db)
}

/** Ends an attempt if it is still the current one. Run and job change in one transaction. */
export async function settle(
  db: Kysely<unknown>,
  boss: PgBoss,
  attempt: Attempt,
  report: Report,
  ending: Ending,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await settleJob(trx, boss, attempt, ending))) return false
    if (ending.state === 'WAITING') return leaveWaiting(trx, attempt, report)
    const { rows } = await sql`
      update task_runs
      set state = ${ending.state},
        result = ${'result' in ending ? ending.result : null}::jsonb,
        error_detail = ${'error' in ending ? ending.error : null},
        progress = ${'result' in ending ? 1 : report.progress},
        log = ${report.log}::text[],
        ended_at = case when ${ending.state === 'RETRY'} then null else now() end,
        last_updated_at = now()
      where id = ${attempt.id} and state = 'STARTED' and attempt = ${attempt.attempt}
      returning id`.execute(trx)
    return rows.length > 0
  })
}

async function leaveWaiting(trx: Kysely<unknown>, attempt: Attempt, { log }: Report): Promise<boolean> {
  const { rows } = await sql`
    update task_runs set is_waiting = true, log = ${log}::text[], last_updated_at = now()
    where id = ${attempt.id} and state = 'STARTED' and attempt = ${attempt.attempt}
    returning id`.execute(trx)
  return rows.length > 0
}

async function settleJob(trx: Kysely<unknown>, boss: PgBoss, attempt: Attempt, ending: Ending): Promise<boolean> {
  const within = { db: fromKysely(trx) }
  const claimed = claimOf(attempt)
  const isHeld = async (change: Promise<unknown>) => ((await change) as Changed).affected > 0
  if ('result' in ending || ending.state === 'WAITING') return isHeld(boss.complete(QUEUE, claimed, null, within))
  if (ending.state === 'FAILURE') return isHeld(boss.cancel(QUEUE, claimed, within))
  if (ending.state === 'RETRY' && !ending.isCounted) await allowAnother(trx, [attempt.id])
  if (!(await isHeld(boss.fail(QUEUE, claimed, null, within)))) return false
  if (!ending.isCounted) await boss.update(QUEUE, undefined, { id: attempt.id, startAfter: 0, ...within })
  return true
}

/** The queue counts every attempt, so one that should not count raises its limit. */
const allowAnother = (trx: Kysely<unknown>, ids: readonly string[]) =>
  sql`
    update jobs.job set retry_limit = retry_limit + 1
    where name = ${QUEUE} and id = any(${ids}::uuid[]) and state not in ('completed', 'cancelled')`.execute(trx)

/**
 * Gives runs another attempt if the queue took them from a living worker whose heartbeats failed while the database was
 * unavailable. Runs that were marked as lost in the meantime are restored.
 */
export async function restoreAttempts(db: Kysely<unknown>, boss: PgBoss, ids: readonly string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await allowAnother(trx, ids)
    await boss.retry(QUEUE, [...ids], { db: fromKysely(trx) })
    await sql`
      update task_runs
      set state = 'RETRY', ended_at = null, last_updated_at = now()
      where id = any(${ids}::uuid[]) and state = 'FAILURE' and error_detail = ${LOST}`.execute(trx)
  })
}

/** A living worker that could not reach the database has this long to report before its run fails. */
const APPEAL_SECONDS = 6

/** Updates runs whose worker was lost to the state that the queue gave their jobs. */
export async function reconcile(db: Kysely<unknown>): Promise<void> {
  await sql`
    update task_runs as r
    set state = case when j.state = 'retry' then 'RETRY' else 'FAILURE' end,
      ended_at = case when j.state = 'retry' then null else now() end,
      error_detail = ${LOST},
      log = r.log || ${LOST}::text,
      last_updated_at = now()
    from jobs.job as j
    where r.state = 'STARTED' and r.ended_at is null
      and j.id = r.id and j.name = ${QUEUE}
      and (j.state = 'retry'
        or (j.state = 'failed' and j.completed_on < now() - make_interval(secs => ${APPEAL_SECONDS})))
      -- Of the same attempt: the run may have been started again while this statement waited for it.
      and r.attempt = j.retry_count + 1`.execute(db)
}

/** Fails runs that can no longer be delivered: their jobs expired, or were not part of a restored backup. */
export async function endStrays(db: Kysely<unknown>): Promise<void> {
  await sql`
    update task_runs as r
    set state = 'FAILURE', ended_at = now(), last_updated_at = now(),
      error_detail = 'The run has not ended, and nothing is left of its job.'
    where r.ended_at is null and not r.is_waiting
      and not exists (select from jobs.job as j where j.id = r.id and j.name = ${QUEUE})`.execute(db)
}
