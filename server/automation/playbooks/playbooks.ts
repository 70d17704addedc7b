import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { bool, computed, int, json, name, ref, text } from '../../engine/field.ts'
import { defineResource } from '../../engine/resource.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { stamps } from '../../engine/stamps.ts'
import { playbookOperations } from './playbook-operations.ts'
import { playbookRoutes } from './playbook-routes.ts'
import { KEEP_RUNS_DAYS, RUN_STATES } from './playbook-runs.ts'
import { PLAYBOOK_STATE, PLAYBOOK_STATES } from './playbook-state.ts'
import { showSteps, stepsInput, stepsOutput } from './steps-field.ts'
import { triggerInput, triggerOutput } from './trigger.ts'

/** `from … where …` of the runs `r` of the playbook `t` that the caller sees. */
const runs = (ctx: Context): RawBuilder<unknown> => sql`
  from playbook_runs as r
  where r.playbook = t.id and ${visible(ctx, resourceOf(ctx, 'playbook_runs'), 'r')}`

export const playbooks = defineResource({
  collection: 'playbooks',
  title: 'Playbook',
  doc: 'A list of steps that runs on objects when they change, on a schedule, or by hand. It runs for the user who last saved it.',
  key: ['name'],
  fields: {
    name: name(),
    description: text(0, 10_000).nullable(),
    is_active: bool().default(false).describe('Inactive playbooks run by hand only.'),
    trigger: json(triggerOutput).accepts(triggerInput).required().describe('What starts a run.'),
    steps: json(stepsOutput)
      .accepts(stepsInput)
      .required()
      .shownAs(showSteps)
      .describe('What a run does, in this order. References can also be sent as `{"name": "…"}`.'),
    template: text(1, 100).nullable().describe('The ready-made playbook that it was made from.'),
    version: int().readOnly().describe('Higher whenever the trigger or the steps change.'),
    state: computed('text', z.enum(PLAYBOOK_STATES), PLAYBOOK_STATE).describe(
      'PAUSED: it failed repeatedly, and runs nothing until it is resumed or saved.',
    ),
    paused_reason: text().nullable().readOnly(),
    status: computed(
      'text',
      z.enum(RUN_STATES).nullable(),
      (ctx) => sql`select r.state ${runs(ctx)} order by r.created_at desc, r.id desc limit 1`,
    ).describe('The state of the latest run that you can see.'),
    problem: text().nullable().readOnly().describe('Why the trigger cannot be evaluated; null if it can.'),
    run_counts: computed(
      'jsonb',
      z.record(z.string(), z.int()),
      (ctx) => sql`select coalesce(jsonb_object_agg(c.state, c.count), '{}') from (
        select r.state, count(*)::integer as count ${runs(ctx)} and r.created_at > now() - make_interval(days => ${sql.lit(KEEP_RUNS_DAYS)})
        group by r.state) as c`,
    ).describe(`The runs of the last ${KEEP_RUNS_DAYS} days that you can see, by state.`),
    last_run_at: computed(
      'timestamptz',
      z.iso.datetime({ offset: true }).nullable(),
      (ctx) => sql`select max(r.created_at) ${runs(ctx)}`,
    ).describe('When the latest run that you can see was started.'),
    task: ref('tasks').nullable().readOnly().describe('The task of a playbook with a schedule.'),
    external_url: computed('text', z.url(), `'/playbooks/' || t.id`).path().describe('Its page in the web interface.'),
    owner: ref('users').nullable().hidden(),
    step_secrets: text().nullable().hidden(),
    ...stamps,
  },
  operations: playbookOperations,
  routes: (standard) => [...playbookRoutes, ...standard],
  example: {
    name: 'Tag reports about phishing',
    is_active: true,
    trigger: {
      type: 'change',
      collection: 'entities',
      kinds: ['create'],
      query: 'data.type:report AND phishing',
      relational_query: null,
      changed_fields: [],
      repeat: 'once',
    },
    steps: [{ id: 'tag', kind: 'tag', name: null, only_if: [], on_failure: 'stop', added: ['phishing'], removed: [] }],
  },
})
