import { type Kysely, sql } from 'kysely'
import { fromKysely } from 'pg-boss'
import type { Cause } from '../engine/cause.ts'
import type { Item } from '../engine/context.ts'
import { AUTHOR, authorOf } from '../engine/log.ts'
import { NOBODY } from '../engine/route.ts'
import { CHANNEL, jobsIn, QUEUE } from './queue.ts'
import type { Task } from './task.ts'

/** A worker without a heartbeat for this long counts as lost, and its runs are restarted elsewhere. */
const HEARTBEAT_SECONDS = 30

/** A run to start. */
export interface RunRequest {
  readonly id: string
  readonly task: number
  readonly type: Task
  readonly parameters: Item
  /** The delay before it starts. */
  readonly waitSeconds?: number
}

/**
 * Starts runs: creates the rows that users see and the jobs that deliver them, in the transaction `db`.
 * A unique task that is busy starts nothing; its open run is returned instead.
 */
export async function startRuns(
  db: Kysely<unknown>,
  callerId: number | null,
  runs: readonly RunRequest[],
  cause?: Cause,
): Promise<ReadonlyMap<number, string>> {
  const busy = await busyTasks(db, runs)
  const free = runs.filter(({ task }) => !busy.has(task))
  if (free.length === 0) return busy
  const rows = free.map(({ id, task, parameters }) => ({ id, task, parameters }))
  await sql`
    with made as (
      insert into task_runs (id, task, parameters, state, cause, created_by, last_updated_by)
      select id, task, parameters, 'SENT', ${cause ? JSON.stringify(cause) : null}::jsonb, ${callerId}::integer,
        ${callerId}::integer
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(id uuid, task integer, parameters jsonb)
      returning id
    ), logged as (
      insert into changes (${AUTHOR}, resource, kind, ids)
      select ${authorOf({ caller: { ...NOBODY, id: callerId ?? 0 }, cause })}, 'task_runs', 'create', array_agg(id::text) from made
    )
    select pg_notify(${CHANNEL}, '')`.execute(db)
  await jobsIn(db).insert(QUEUE, free.map(jobOf), { db: fromKysely(db) })
  return busy
}

/** A waiting run of a task that cannot start before the transaction `db` ends, so that it will see what that writes. */
export async function waitingRun(db: Kysely<unknown>, task: number): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select r.id
    from task_runs as r
    where r.task = ${task} and r.state = 'SENT' and r.ended_at is null
      and exists (select from jobs.job as j where j.id = r.id and j.name = ${QUEUE} and j.state = 'created')
    limit 1
    for share of r skip locked`.execute(db)
  return rows[0]?.id
}

/** Revokes those of the runs that have not ended. Their handlers are aborted immediately, on any worker. */
export async function stopRuns(
  db: Kysely<unknown>,
  callerId: number | null,
  ids: readonly string[],
  cause?: Cause,
): Promise<string[]> {
  if (ids.length === 0) return []
  // Jobs before runs, in the order of workers, to avoid deadlocks.
  await jobsIn(db).cancel(QUEUE, [...ids])
  const { rows } = await sql<{ id: string }>`
    with stopped as (
      update task_runs
      set state = 'REVOKED', ended_at = now(), last_updated_at = now(), last_updated_by = ${callerId}::integer
      where id = any(${ids}::uuid[]) and ended_at is null
      returning id
    ), logged as (
      insert into changes (${AUTHOR}, resource, kind, ids)
      select ${authorOf({ caller: { ...NOBODY, id: callerId ?? 0 }, cause })}, 'task_runs', 'update', array_agg(id::text) from stopped having count(*) > 0
    )
    select id, pg_notify(${CHANNEL}, id::text) from stopped`.execute(db)
  return rows.map(({ id }) => id)
}

const jobOf = ({ id, type, waitSeconds = 0 }: RunRequest) => ({
  id,
  startAfter: waitSeconds,
  retryLimit: type.retryLimit,
  retryDelay: type.retryDelay,
  retryBackoff: true,
  retryDelayMax: 3600,
  // The worker ends runs that take too long; this covers a worker that cannot.
  expireInSeconds: type.expireInSeconds + HEARTBEAT_SECONDS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // The run is the record; its job is not needed once it has ended.
  deleteAfterSeconds: 600,
})

/** The open runs of the unique tasks among these, locked so that they remain the only ones until the transaction ends. */
async function busyTasks(db: Kysely<unknown>, runs: readonly RunRequest[]): Promise<Map<number, string>> {
  const unique = runs.filter(({ type }) => type.isUnique).map(({ task }) => task)
  if (unique.length === 0) return new Map()
  await sql`select from tasks where id = any(${unique}::integer[]) order by id for no key update`.execute(db)
  const { rows } = await sql<{ task: number; id: string }>`
    select task, id from task_runs
    where task = any(${unique}::integer[]) and ended_at is null`.execute(db)
  return new Map(rows.map(({ task, id }) => [task, id]))
}
