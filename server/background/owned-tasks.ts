import { type Kysely, sql } from 'kysely'
import { nextTime, type Schedule } from '../domain/schedule.ts'
import type { Context } from '../engine/context.ts'
import type { Id } from '../engine/reference.ts'
import { stopRuns } from './runs.ts'

/** A kind of object that owns a task, which is changed and deleted with it. */
export interface TaskOwner {
  readonly table: string
  /** The column that holds the task. */
  readonly column: string
  /** The type of the tasks, what they are called before the name of the owner, and the parameter that holds its id. */
  readonly type: string
  readonly title: string
  readonly parameter: string
}

/** The SQL for the state of the latest run of a task, given the column with the id of the task. */
export const latestStateOf = (task: string): string =>
  `select r.state from task_runs as r where r.task = ${task} order by r.created_at desc, r.id desc limit 1`

interface Kept {
  readonly id: number
  readonly is_active: boolean
  readonly execution_schedule: Schedule | null
}

/**
 * Gives new objects their tasks, and the tasks of changed ones their names, schedules and states. A task whose schedule is as it
 * was keeps its next time.
 */
export async function keepOwnTasks(db: Kysely<unknown>, owner: TaskOwner, ids: readonly Id[]): Promise<void> {
  const { type, parameter } = owner
  const [owners, column, title] = [sql.table(owner.table), sql.ref(owner.column), `${owner.title}: `]
  await sql`
    with made as (
      insert into tasks (name, type, parameters, is_owned, is_active)
      select ${title} || o.name, ${type}, jsonb_build_object(${parameter}::text, o.id), true, false
      from ${owners} as o
      where o.id = any(${ids}::integer[]) and o.${column} is null
      returning id, (parameters ->> ${parameter}::text)::integer as owner
    )
    update ${owners} as o set ${column} = made.id from made where made.owner = o.id`.execute(db)
  const { rows } = await sql<Kept>`
    with changed as (
      select t.id, ${title} || o.name as name, o.is_active, o.execution_schedule,
        (t.is_active, t.execution_schedule) is distinct from (o.is_active, o.execution_schedule) as is_other
      from ${owners} as o join tasks as t on t.id = o.${column}
      where o.id = any(${ids}::integer[])
    )
    update tasks as t
    set name = c.name, is_active = c.is_active, execution_schedule = c.execution_schedule, last_updated_at = now(),
      next_run_at = case when c.is_other then null else t.next_run_at end
    from changed as c
    where c.id = t.id and (c.is_other or c.name <> t.name)
    returning t.id, t.is_active, t.execution_schedule`.execute(db)
  const times = rows.flatMap(({ id, is_active, execution_schedule: schedule }) =>
    is_active && schedule ? [{ id, next_run_at: nextTime(schedule, null, new Date()) }] : [],
  )
  await sql`
    update tasks as t set next_run_at = i.next_run_at
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as i(id integer, next_run_at timestamptz)
    where t.id = i.id and t.next_run_at is null`.execute(db)
}

/** Revokes the runs of the tasks of objects. */
export async function stopOwnRuns(ctx: Context, owner: TaskOwner, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select r.id
    from ${sql.table(owner.table)} as o join task_runs as r on r.task = o.${sql.ref(owner.column)} and r.ended_at is null
    where o.id = any(${ids}::integer[])`.execute(ctx.db)
  await stopRuns(
    ctx.db,
    // Background work without a caller.
    ctx.caller.id || null,
    rows.map(({ id }) => id),
    ctx.cause,
  )
}

/** Deletes the tasks of objects that are about to be deleted, with their runs. */
export async function removeOwnTasks(ctx: Context, owner: TaskOwner, ids: readonly Id[]): Promise<void> {
  await stopOwnRuns(ctx, owner, ids)
  await sql`
    delete from tasks where is_owned and id in (
      select ${sql.ref(owner.column)} from ${sql.table(owner.table)} where id = any(${ids}::integer[]))`.execute(ctx.db)
}
