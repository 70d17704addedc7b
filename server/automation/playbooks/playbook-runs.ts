import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { computed, found, int, oneOf, ref, text, timestamp } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { readOnly } from '../../engine/standard.ts'
import { READING } from './matches.ts'
import { shownOutput } from './shown-output.ts'
import { OBJECT_COLLECTIONS, type Subject } from './step.ts'

/** How long runs are kept and counted. */
export const KEEP_RUNS_DAYS = 30

export const RUN_STATES = ['PENDING', 'STARTED', 'WAITING', 'SUCCESS', 'WARNING', 'FAILURE', 'REVOKED'] as const

/** A step of a run in responses. */
export const shownStep = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string().nullable(),
  state: z.enum(['PENDING', 'STARTED', 'WAITING', 'SUCCESS', 'WARNING', 'FAILURE', 'SKIPPED']),
  outcome: z.string().nullable().describe('One of the outcomes of its kind; null while it has none.'),
  input: z.looseObject({}).describe('The parameters with which it was done.'),
  output: z.looseObject({}).nullable().describe('Ids of objects that you see, counts and own words of the step.'),
  warnings: z.array(z.string()),
  error: z.string().nullable(),
  attempts: z.int(),
  started_at: z.iso.datetime({ offset: true }).nullable(),
  ended_at: z.iso.datetime({ offset: true }).nullable(),
})

/** All steps of the run `t`, those that were not begun included. */
const steps = (ctx: Context): RawBuilder<unknown> => sql`
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', v.step ->> 'id', 'kind', v.step ->> 'kind', 'name', v.step -> 'name',
    'state', case s.state when 'CALLING' then 'STARTED' else coalesce(s.state, 'PENDING') end,
    'outcome', s.outcome, 'input', coalesce(s.input, '{}'), 'output', ${shownOutput(ctx)}, 'warnings', coalesce(s.warnings, '{}'),
    'error', s.error, 'attempts', coalesce(s.attempts, 0), 'started_at', s.started_at, 'ended_at', s.ended_at) order by v.place), '[]')
  from playbook_versions as p
  cross join lateral jsonb_array_elements(p.steps) with ordinality as v(step, place)
  left join playbook_run_steps as s on s.run = t.id and s.position = v.place - 1
  where p.playbook = t.playbook and p.version = t.version`

const TABLES = { entities: 'uuid', observables: 'integer', files: 'integer' } as const

const objectOf = (collection: Subject['collection']) =>
  found(collection, `case when t.collection = '${collection}' then t.object::${TABLES[collection]} end`)

/** The title of the object of the run `t`, which its readers see. */
const TITLE = sql`case t.collection
  when 'entities' then (
    select coalesce(nullif(e.meta ->> 'alias', ''), e.data ->> 'title', '') from entities as e where e.id = t.object::uuid)
  when 'observables' then (select o.value from observables as o where o.id = t.object::integer)
  when 'files' then (select f.name from files as f where f.id = t.object::integer) end`

export const playbookRuns = defineResource({
  collection: 'playbook_runs',
  title: 'Playbook run',
  doc: 'A playbook that runs on an object, with what each step did. You see the runs on objects that you see; they are kept for 30 days.',
  key: ['id'],
  permission: 'playbooks',
  fields: {
    playbook: ref('playbooks').readOnly(),
    version: int().readOnly().describe('The version of the playbook that it executes.'),
    collection: oneOf(OBJECT_COLLECTIONS).readOnly(),
    entity: objectOf('entities'),
    observable: objectOf('observables'),
    file: objectOf('files'),
    object_title: computed('text', z.string().nullable(), () => TITLE).describe('Null if the object was deleted.'),
    cause: oneOf(['change', 'schedule', 'manual']).readOnly().describe('What started it.'),
    state: oneOf(RUN_STATES)
      .readOnly()
      .describe(
        'WARNING: it was done with warnings, a failed step was passed over, or it would have been part of a loop.',
      ),
    reason: text().nullable().readOnly().describe('Why it ended as it did; null if there is nothing to say.'),
    steps: computed('jsonb', z.array(shownStep), steps),
    created_at: timestamp().stamped('created-at'),
    created_by: ref('users').nullable().stamped('created-by').describe('Who started it by hand.'),
    started_at: timestamp().nullable().readOnly(),
    ended_at: timestamp().nullable().readOnly(),
  },
  visible: (ctx, t) => sql`(${isObjectSeen(ctx, t)} or (${isObjectGone(t)} and ${isOwn(ctx, t)}))`,
  operations: readOnly,
})

/** Names that no condition of others has, because this one can be inside any of them. */
const EACH = { entities: 'run_entity', observables: 'run_observable', files: 'run_file' } as const

/** Whether the caller sees the object of the run `t`, and may read objects of its kind. */
function isObjectSeen(ctx: Context, t: string): RawBuilder<SqlBool> {
  const readable = OBJECT_COLLECTIONS.filter((each) => ctx.caller.permissions.has(READING[each]))
  if (readable.length === 0) return sql`false`
  const cases = readable.map((collection) => {
    const [alias, resource] = [EACH[collection], resourceOf(ctx, collection)]
    return sql`when ${collection} then exists (
      select from ${sql.table(resource.table)} as ${sql.ref(alias)}
      where ${sql.ref(`${alias}.id`)} = ${sql.ref(`${t}.object`)}::${sql.raw(TABLES[collection])} and ${visible(ctx, resource, alias)})`
  })
  return sql`(case ${sql.ref(`${t}.collection`)} ${sql.join(cases, sql` `)} else false end)`
}

/** Whether the object of the run `t` was deleted. */
function isObjectGone(t: string): RawBuilder<SqlBool> {
  const cases = OBJECT_COLLECTIONS.map(
    (collection) => sql`when ${collection} then not exists (
      select from ${sql.table(collection)} as run_gone where run_gone.id = ${sql.ref(`${t}.object`)}::${sql.raw(TABLES[collection])})`,
  )
  return sql`(case ${sql.ref(`${t}.collection`)} ${sql.join(cases, sql` `)} end)`
}

/** Whether the caller started the run `t`, or owns its playbook. */
const isOwn = ({ caller }: Context, t: string): RawBuilder<SqlBool> => sql`(
  ${sql.ref(`${t}.created_by`)} = ${caller.id}
  or exists (select from playbooks as run_playbook where run_playbook.id = ${sql.ref(`${t}.playbook`)} and run_playbook.owner = ${caller.id}))`
