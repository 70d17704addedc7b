import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { nextTime, type Schedule } from '../domain/schedule.ts'
import type { Item } from '../engine/context.ts'
import { makeId } from '../engine/ids.ts'
import { type RunRequest, startRuns } from './runs.ts'
import type { TaskTypes } from './task.ts'

interface Due {
  readonly id: number
  readonly type: string
  readonly parameters: Item
  readonly execution_schedule: Schedule
  readonly next_run_at: string | null
  readonly now: string
}

/** Starts each due run once, with any number of workers; missed slots become one run. */
export async function scheduleRuns(db: Kysely<unknown>, types: TaskTypes, log: Logger): Promise<number> {
  const isDue = sql`
    is_active and execution_schedule is not null and type = any(${[...types.keys()]}::text[])
    and (next_run_at is null or next_run_at <= now())`
  const { rows: any } = await sql`select from tasks where ${isDue} limit 1`.execute(db)
  if (any.length === 0) return 0
  return db.transaction().execute(async (trx) => {
    const { rows: due } = await sql<Due>`
      select id, type, parameters, execution_schedule, next_run_at, now() as now
      from tasks
      where ${isDue}
      order by next_run_at
      limit 100
      for no key update skip locked`.execute(trx)
    if (due.length === 0) return 0
    const requests = due.filter((task) => task.next_run_at !== null).flatMap((task) => requestOf(types, task))
    const busy = await startRuns(trx, null, requests)
    const times = due.map((task) => ({ id: task.id, next_run_at: timeAfter(task, log) }))
    await sql`
      update tasks as t
      set next_run_at = i.next_run_at
      from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as i(id integer, next_run_at timestamptz)
      where t.id = i.id`.execute(trx)
    return requests.length - busy.size
  })
}

function requestOf(types: TaskTypes, { id, type: name, parameters }: Due): RunRequest[] {
  const type = types.get(name)
  return type ? [{ id: makeId(), task: id, type, parameters }] : []
}

/** Uses the clock of the database, because those of workers may differ. */
function timeAfter({ id, execution_schedule, next_run_at, now }: Due, log: Logger): Date {
  try {
    return nextTime(execution_schedule, next_run_at === null ? null : new Date(next_run_at), new Date(now))
  } catch (error) {
    // An invalid schedule that was not written through the API must not block other tasks.
    log.error({ err: error, task: id }, 'the schedule of a task cannot be read')
    return new Date(Date.parse(now) + 3_600_000)
  }
}
