import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context, Item } from '../engine/context.ts'
import { badRequest, conflict, notFound } from '../engine/errors.ts'
import { computed, int, json, oneOf, real, ref, strings, text, timestamp } from '../engine/field.ts'
import { makeId } from '../engine/ids.ts'
import { parseId, toUrl } from '../engine/reference.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { readOnly, standard } from '../engine/standard.ts'
import { mayReadDetails } from './run-details.ts'
import { startRuns, stopRuns } from './runs.ts'
import { readParameters } from './task.ts'
import { isRunSeen } from './task-sight.ts'

const STATES = [
  'PENDING',
  'SENT',
  'STARTED',
  'RETRY',
  'FAILURE',
  'REVOKED',
  'CAP_REACHED',
  'WARNING',
  'SUCCESS',
] as const

export const taskRuns = defineResource({
  collection: 'task_runs',
  title: 'Task run',
  doc: 'One execution of a task, from the request to its outcome.',
  permission: 'tasks',
  key: [],
  fields: {
    task: ref('tasks').required(),
    parameters: json(z.record(z.string(), z.unknown()))
      .default({})
      .shownTo(mayReadDetails, `'{}'::jsonb`)
      .describe("Added to the task's own."),
    state: oneOf(STATES).readOnly(),
    attempt: int().readOnly().describe('How often it was started.'),
    progress: real().readOnly().describe('From 0 to 1.'),
    result: json(z.unknown()).nullable().shownTo(mayReadDetails, 'null::jsonb').readOnly(),
    error_detail: text()
      .nullable()
      .shownTo(mayReadDetails, 'null::text')
      .readOnly()
      .describe('Why it failed, or why it will be tried again.'),
    log: strings().shownTo(mayReadDetails, `'{}'::text[]`).readOnly().describe('The latest lines that the run wrote.'),
    has_hidden_details: computed('boolean', z.boolean(), (ctx) => sql`not ${mayReadDetails(ctx)}`).describe(
      'Whether parameters, result, error and log are left out: only the user who started the run and users with `modify tasks` read them.',
    ),
    started_at: timestamp().nullable().readOnly(),
    ended_at: timestamp().nullable().readOnly(),
    ...stamps,
  },
  visible: isRunSeen,
  example: { task: 1, parameters: { keep_tokens_days: 30 } },
  operations: {
    ...readOnly,
    create: async (ctx, resource, { task: id, parameters = {} }) => {
      const task = await startable(ctx, Number(id))
      const type = ctx.taskTypes.get(task.type)
      if (!type) throw conflict(`This version of the platform has no tasks of the type '${task.type}'.`)
      const run = {
        id: makeId(),
        task: task.id,
        type,
        parameters: readParameters(type, { ...task.parameters, ...parameters }),
      }
      const busy = await startRuns(ctx.db, ctx.caller.id, [run], ctx.cause)
      const other = busy.get(task.id)
      if (other) throw conflict(`The task '${task.name}' is already running: ${toUrl(ctx.baseUrl, 'task_runs', other)}`)
      return standard.get(ctx, resource, run.id)
    },
  },
  routes: (standard) => [
    defineAction({
      name: 'delete_task_runs',
      doc: 'Stop a task run',
      tag: 'task_runs',
      method: 'DELETE',
      path: '/tasks/runs/:id',
      permission: 'modify tasks',
      refusals: [404, 409],
      run: async (ctx, _, { params }) => stop(ctx, params.id ?? ''),
    }),
    ...standard,
  ],
})

interface Startable {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly parameters: Item
  readonly is_active: boolean
}

async function startable(ctx: Context, id: number): Promise<Startable> {
  const { rows } = await sql<Startable>`
    select id, name, type, parameters, is_active from tasks where id = ${id}`.execute(ctx.db)
  const [task] = rows
  if (!task) throw badRequest(`task: there is no '${id}' in tasks.`)
  if (!task.is_active) throw conflict(`The task '${task.name}' is not active.`)
  return task
}

/** Stops a run. Stopping it twice is not an error, but a run that has ended by itself cannot be stopped. */
async function stop(ctx: Context, text: string): Promise<void> {
  const id = parseId('uuid', text)
  if (typeof id !== 'string') throw notFound(text)
  const stopped = await stopRuns(ctx.db, ctx.caller.id, [id], ctx.cause)
  if (stopped.length > 0) return
  const { rows } = await sql<{ state: string }>`select state from task_runs where id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw notFound(id)
  if (rows[0].state !== 'REVOKED') throw conflict(`The run has already ended with ${rows[0].state}.`)
}
