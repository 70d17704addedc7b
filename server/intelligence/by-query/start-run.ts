import { sql } from 'kysely'
import { startRuns } from '../../background/runs.ts'
import { readParameters, type Task } from '../../background/task.ts'
import type { Context, Item } from '../../engine/context.ts'
import { conflict } from '../../engine/errors.ts'
import { makeId } from '../../engine/ids.ts'
import { toUrl } from '../../engine/reference.ts'

/** Starts a run of a system task, which needs no task defined by a user, and returns the URL of the run. */
export async function startSystemRun(ctx: Context, name: string, taskType: string, parameters: Item): Promise<string> {
  const [id = ''] = await startSystemRuns(ctx, name, taskType, [parameters])
  return toUrl(ctx.baseUrl, 'task_runs', id)
}

/** Starts one run of a system task for each set of parameters, and returns the ids of the runs. */
export async function startSystemRuns(
  ctx: Context,
  name: string,
  taskType: string,
  parameters: readonly Item[],
): Promise<string[]> {
  const type = ctx.taskTypes.get(taskType)
  if (!type) throw new TypeError(`There are no tasks of the type '${taskType}'.`)
  const task = (await systemTask(ctx, type)) ?? (await createSystemTask(ctx, name, type))
  if (!task?.is_active) throw conflict(`The task '${task?.name ?? name}' is not active.`)
  const runs = parameters.map((each) => ({
    id: makeId(),
    task: task.id,
    type,
    parameters: readParameters(type, each),
  }))
  await startRuns(ctx.db, ctx.caller.id, runs, ctx.cause)
  return runs.map(({ id }) => id)
}

interface SystemTask {
  readonly id: number
  readonly name: string
  readonly is_active: boolean
}

async function systemTask(ctx: Context, { type }: Task): Promise<SystemTask | undefined> {
  const { rows } = await sql<SystemTask>`
    select id, name, is_active from tasks where is_system and type = ${type}`.execute(ctx.db)
  return rows[0]
}

/** Creates a system task on first use. If two requests do so at once, the second waits and finds the first one's. */
async function createSystemTask(ctx: Context, name: string, type: Task): Promise<SystemTask | undefined> {
  await sql`
    insert into tasks (name, type, description, is_system)
    select case when exists (select from tasks where name = ${name}) then ${`${name} (system)`} else ${name} end,
      ${type.type}, ${type.doc}, true
    on conflict do nothing`.execute(ctx.db)
  return systemTask(ctx, type)
}
