import { sql } from 'kysely'
import { z } from 'zod'
import type { Collection } from '../collections.ts'
import { nextTime, type Schedule, schedule } from '../domain/schedule.ts'
import { faultsOf, messageOf } from '../engine/body.ts'
import { itemPath } from '../engine/bulk-errors.ts'
import type { AnyRow, Context, Item } from '../engine/context.ts'
import { badRequest, conflict } from '../engine/errors.ts'
import { bool, found, json, name, oneOf, text, timestamp } from '../engine/field.ts'
import { toUrl } from '../engine/reference.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { standard } from '../engine/standard.ts'
import { stopRuns } from './runs.ts'
import type { TaskTypes } from './task.ts'
import { isTaskSeen } from './task-sight.ts'

/** The resource of tasks; each is of one of these types. */
export const defineTasks = (types: TaskTypes) =>
  defineResource({
    collection: 'tasks',
    title: 'Task',
    doc: 'Background work that is started by users or by its schedule.',
    key: ['name'],
    fields: {
      name: name(),
      type: oneOf([...types.keys()] as [string, ...string[]])
        .required()
        .describe([...types.values()].map(({ type, doc }) => `${type}: ${doc}`).join(' ')),
      description: text().default(''),
      parameters: json(z.record(z.string(), z.unknown()))
        .default({})
        .describe('Defaults for runs that do not set them.'),
      is_active: bool().default(true).describe('Inactive tasks do not run.'),
      execution_schedule: json(schedule).nullable().describe('When it runs; null means only on request.'),
      next_run_at: timestamp().nullable().readOnly(),
      last_run: found(
        'task_runs',
        'select r.id from task_runs as r where r.task = t.id order by r.created_at desc, r.id desc limit 1',
      ),
      is_owned: bool().readOnly().describe('Belongs to another object, such as a feed, and is changed through it.'),
      is_system: bool().readOnly().describe('Built in; cannot be deleted.'),
      ...stamps,
    },
    example: {
      name: 'Weekly clean-up',
      type: 'housekeeping',
      execution_schedule: { cron: '0 4 * * 0', interval: null, time_zone: 'Europe/Amsterdam' },
    },
    visible: isTaskSeen,
    operations: {
      ...standard,
      create: async (ctx, resource, item) => {
        const made = await standard.create(ctx, resource, item)
        const [row = made] = await planned(ctx, [made], [])
        return row
      },
      upsert: async (ctx, resource, items) => {
        const before = await statesOf(
          ctx,
          'name',
          items.map((item) => item.name),
        )
        refuseOwned(ctx, before)
        const { rows, created } = await standard.upsert(ctx, resource, items)
        return { rows: await planned(ctx, rows, before), created }
      },
      update: async (ctx, resource, id, patch) => {
        const before = await statesOf(ctx, 'id', [id])
        refuseOwned(ctx, before)
        const changed = await standard.update(ctx, resource, id, patch)
        const [row = changed] = await planned(ctx, [changed], before)
        return row
      },
      remove: async (ctx, resource, ids) => {
        const before = await statesOf(ctx, 'id', ids)
        refuseOwned(ctx, before)
        const system = before.find((task) => task.is_system)
        if (system)
          throw conflict(
            `The task '${system.name}' comes with the platform and cannot be deleted; it can be made inactive.`,
          )
        const { rows } = await sql<{ id: string }>`
        select id from task_runs where task = any(${ids}::integer[]) and ended_at is null`.execute(ctx.db)
        await stopRuns(
          ctx.db,
          ctx.caller.id,
          rows.map((run) => run.id),
          ctx.cause,
        )
        await standard.remove(ctx, resource, ids)
      },
    },
  })

interface State {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly parameters: Item
  readonly is_system: boolean
  readonly is_owned: boolean
  readonly is_active: boolean
  readonly execution_schedule: Schedule | null
}

/** The current tasks, locked until the request ends. */
async function statesOf(ctx: Context, field: 'id' | 'name', values: readonly (string | number)[]): Promise<State[]> {
  const { rows } = await sql<State>`
    select id, name, type, parameters, is_system, is_owned, is_active, execution_schedule
    from tasks
    where ${sql.ref(field)} = any(${values}::${sql.raw(field === 'id' ? 'integer' : 'text')}[])
    order by id
    for no key update`.execute(ctx.db)
  return rows
}

/** Owners that delete their tasks, by the type of the task, and the parameter that holds the owner's id. */
const OWNERS: Readonly<Record<string, readonly [collection: Collection, parameter: string]>> = {
  'incoming-feed': ['incoming_feeds', 'feed'],
  'outgoing-feed': ['outgoing_feeds', 'feed'],
  'discovery-rule': ['discovery_rules', 'rule'],
  enricher: ['enrichers', 'enricher'],
  'enrichment-rule': ['enrichment_rules', 'rule'],
  consolidation: ['consolidation_rules', 'policy'],
}

/** Owned tasks can only be changed through their owner. */
function refuseOwned(ctx: Context, tasks: readonly State[]): void {
  const owned = tasks.find(({ is_owned }) => is_owned)
  if (!owned) return
  const [collection, parameter] = OWNERS[owned.type] ?? ['tasks', 'id']
  const url = toUrl(ctx.baseUrl, collection, String(owned.parameters[parameter] ?? owned.id))
  throw conflict(`The task '${owned.name}' belongs to ${url}: change or delete that instead.`)
}

/** Returns the written rows after checking that they can run, and sets the next run of tasks whose schedule changed. */
async function planned(ctx: Context, rows: AnyRow[], before: readonly State[]): Promise<AnyRow[]> {
  const known = new Map(before.map((task) => [task.id, task]))
  const after = await statesOf(
    ctx,
    'id',
    rows.map(({ id }) => id),
  )
  const retyped = after.find(({ id, type }) => known.get(id)?.is_system && known.get(id)?.type !== type)
  if (retyped) throw conflict(`The task '${retyped.name}' comes with the platform and keeps its type.`)
  const positions = new Map(rows.map(({ id }, i) => [id, i]))
  const faults = after.flatMap((task) => parameterFaults(ctx, task, itemPath(rows, positions.get(task.id) ?? 0)))
  if (faults.length > 0) throw badRequest(faults)
  const times = await setTimes(
    ctx,
    after.filter((task) => timing(task) !== timing(known.get(task.id))),
  )
  return rows.map((row) => ({ ...row, ...times.get(Number(row.id)) }))
}

const timing = (task: State | undefined): string => JSON.stringify([task?.is_active, task?.execution_schedule])

/** The invalid parameters. Without a schedule some may be missing, because a run can add them. */
function parameterFaults(ctx: Context, { type, parameters, execution_schedule }: State, at: number[]): string[] {
  const error = ctx.taskTypes.get(type)?.parameters.safeParse(parameters, { error: messageOf }).error
  if (!error) return []
  const isGiven = ({ path }: z.core.$ZodIssue) => Object.hasOwn(parameters, path[0] ?? '')
  const issues = execution_schedule ? error.issues : error.issues.filter(isGiven)
  return faultsOf(new z.ZodError(issues), [...at, 'parameters'])
}

async function setTimes(ctx: Context, tasks: readonly State[]): Promise<Map<number, { next_run_at: string | null }>> {
  if (tasks.length === 0) return new Map()
  const now = new Date()
  const times = tasks.map(({ id, is_active, execution_schedule }) => ({
    id,
    next_run_at: is_active && execution_schedule ? nextTime(execution_schedule, null, now) : null,
  }))
  const { rows } = await sql<{ id: number; next_run_at: string | null }>`
    update tasks as t
    set next_run_at = i.next_run_at
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as i(id integer, next_run_at timestamptz)
    where t.id = i.id
    returning t.id, t.next_run_at`.execute(ctx.db)
  return new Map(rows.map(({ id, next_run_at }) => [id, { next_run_at }]))
}
