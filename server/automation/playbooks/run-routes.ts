import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest, conflict, missing, notFound } from '../../engine/errors.ts'
import { get, requireVisible } from '../../engine/fetch.ts'
import { string } from '../../engine/field.ts'
import { makeId } from '../../engine/ids.ts'
import { routesBelow } from '../../engine/nested-routes.ts'
import { present } from '../../engine/present.ts'
import { readId } from '../../engine/query.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { dryRun, MAX_TRIED, tried } from './dry-run.ts'
import { READING } from './matches.ts'
import { withReferences } from './playbook-operations.ts'
import { playbookRuns } from './playbook-runs.ts'
import { lackingOf, savedFaults } from './saved-faults.ts'
import { selection, selectObjects } from './select-objects.ts'
import { startRuns } from './start-runs.ts'
import { kindOf } from './step-kinds.ts'
import { separateSecrets } from './step-secrets.ts'
import { stepsInput } from './steps-field.ts'
import type { StoredStep } from './stored-step.ts'
import { type Trigger, triggerInput } from './trigger.ts'

const outcomes = z
  .record(string(1, 40), string(1, 100))
  .default({})
  .describe('In a dry run, outcomes of steps by their ids. These steps are not done, to try other branches.')

const running = z.object({
  ...selection,
  key: string(1, 200).nullable().default(null).describe('The same key starts at most one run on an object.'),
  dry_run: z
    .boolean()
    .default(false)
    .describe(`Does the steps on up to ${MAX_TRIED} objects for you, and takes everything back.`),
  outcomes,
})

const started = z.object({
  count: z.int().describe('How many runs were started.'),
  runs: z.array(z.url()),
  dry_run: z.array(tried).nullable(),
})

const about = { tag: 'playbook_runs', method: 'POST' as const, permission: 'modify playbooks' }

/** The runs of a playbook, and the endpoints that start, try, stop and repeat them. */
export const runRoutes: readonly Route[] = [
  defineAction({
    ...about,
    name: 'dry_run_playbooks',
    doc: 'Say what a playbook would do to objects, before it is saved: the steps are done with your permissions, and taken back',
    path: '/playbooks/dry-run',
    body: z.object({
      ...selection,
      playbook: z.object({ name: string(0, 500).default(''), trigger: triggerInput, steps: stepsInput }),
      outcomes,
    }),
    example: {
      playbook: { trigger: { type: 'manual' }, steps: [{ id: 'tag', kind: 'tag', added: ['phishing'] }] },
      entities_query: 'phishing',
    },
    result: z.array(tried),
    refusals: [422],
    run: async (ctx, { playbook, outcomes, ...given }) => {
      const faults = savedFaults([playbook])
      if (faults.length > 0) throw badRequest(faults.map((fault) => `data.playbook.${fault}`))
      const [ready = playbook] = await withReferences(ctx, [playbook])
      // The answer shows the parameters of steps.
      const { steps } = separateSecrets(ctx.vault, ready.steps, null)
      return tryPlaybook(ctx, { id: 0, version: 0, ...ready, steps }, given, outcomes)
    },
  }),
  defineAction({
    ...about,
    name: 'run_playbooks',
    doc: 'Run a playbook on objects, or say what it would do',
    path: '/playbooks/:id/runs',
    body: running,
    example: { entities: ['018f3c1e-7a60-7d44-9b1b-0c5d1a4e2f10'], dry_run: true },
    result: started,
    status: 201,
    refusals: [404, 422],
    run: async (ctx, input, { params }) => runByHand(ctx, idOf(ctx, params.id), input),
    answer: (data) => ({ status: data.dry_run === null ? 201 : 200, body: { data } }),
  }),
  defineAction({
    ...about,
    name: 'stop_playbook_runs',
    doc: 'Stop a run. What its steps did stays',
    path: '/playbooks/:id/runs/:run/stop',
    result: z.looseObject({}),
    refusals: [404, 409],
    run: async (ctx, _, { params }) => stop(ctx, idOf(ctx, params.id), params.run ?? ''),
  }),
  defineAction({
    ...about,
    name: 'retry_playbook_runs',
    doc: 'Go on with a run that failed or was stopped, from the step where it ended',
    path: '/playbooks/:id/runs/:run/retry',
    result: z.looseObject({}),
    refusals: [404, 409],
    run: async (ctx, _, { params }) => retry(ctx, idOf(ctx, params.id), params.run ?? ''),
  }),
  ...routesBelow(
    {
      owners: 'playbooks',
      segment: 'runs',
      field: 'playbook',
      verbs: ['list', 'get'],
      sort: '-created_at',
      check: (ctx, owner, id) => requireBelow(ctx, owner, id),
    },
    playbookRuns,
  ).map(named),
]

/** The runs of all playbooks are served as well, so that these need another name. */
function named(route: Route): Route {
  const { doc } = route
  return 'verb' in doc ? { ...route, doc: { ...doc, operationId: `${doc.verb}_runs_of_playbooks` } } : route
}

const idOf = (ctx: Context, given = ''): number => Number(readId(resourceOf(ctx, 'playbooks'), given))

interface Runnable {
  readonly id: number
  readonly name: string
  readonly version: number
  readonly trigger: Trigger
  readonly steps: readonly StoredStep[]
}

async function runByHand(ctx: Context, id: number, { dry_run, outcomes, key, ...given }: z.output<typeof running>) {
  const { rows } = await sql<Runnable>`
    select id, name, version, trigger, steps from playbooks where id = ${id} for share`.execute(ctx.db)
  const [playbook] = rows
  if (!playbook) throw notFound(id)
  if (dry_run) return { count: 0, runs: [], dry_run: await tryPlaybook(ctx, playbook, given, outcomes) }
  if (Object.keys(outcomes).length > 0) throw badRequest('data.outcomes: is only for dry runs')
  const { collection } = playbook.trigger
  requireReading(ctx, collection)
  const occurrence = `manual ${key ?? makeId()}`
  const objects = await selectObjects(ctx, collection, given)
  const runs = await startRuns(
    ctx.db,
    objects.map((object) => ({
      playbook: id,
      version: playbook.version,
      collection,
      object,
      occurrence,
      cause: 'manual' as const,
      depth: 1,
    })),
    ctx.caller.id,
  )
  return { count: runs.length, runs: runs.map((run) => toUrl(ctx.baseUrl, 'playbook_runs', run)), dry_run: null }
}

function requireReading({ caller }: Context, collection: Trigger['collection']): void {
  const lacking = lackingOf(caller, [READING[collection]])
  if (lacking.length > 0) throw missing(lacking)
}

async function tryPlaybook(
  ctx: Context,
  playbook: Runnable,
  given: Parameters<typeof selectObjects>[2],
  outcomes: Readonly<Record<string, string>>,
) {
  const { collection } = playbook.trigger
  requireReading(ctx, collection)
  const faults = Object.entries(outcomes).flatMap(([step, outcome]) => outcomeFaults(playbook.steps, step, outcome))
  if (faults.length > 0) throw badRequest(faults)
  const ids = await selectObjects(ctx, collection, { ...given, most: Math.min(given.most, MAX_TRIED) })
  return dryRun(
    ctx,
    playbook,
    ids.slice(0, MAX_TRIED).map((id) => ({ collection, id })),
    outcomes,
  )
}

function outcomeFaults(steps: readonly StoredStep[], step: string, outcome: string): string[] {
  const stored = steps.find(({ id }) => id === step)
  if (!stored) return [`data.outcomes.${step}: is not the id of a step`]
  const possible = Object.keys(kindOf(stored.kind)?.outcomes ?? {})
  const names = possible.map((each) => `'${each}'`).join(', ')
  return possible.includes(outcome) ? [] : [`data.outcomes.${step}: must be one of ${names}, not '${outcome}'`]
}

async function requireBelow(ctx: Context, playbook: Id, run: Id): Promise<void> {
  const { rows } = await sql`
    select from playbook_runs where id = ${run} and playbook = ${playbook}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(run)
}

/** The id of a run of the playbook that the caller sees. */
async function runOf(ctx: Context, playbook: number, given: string): Promise<string> {
  const resource = resourceOf(ctx, 'playbook_runs')
  const id = String(readId(resource, given))
  await requireBelow(ctx, playbook, id)
  await requireVisible(ctx, resource, id)
  return id
}

async function shown(ctx: Context, id: string) {
  const resource = resourceOf(ctx, 'playbook_runs')
  return present(ctx, resource, await get(ctx, resource, id))
}

async function stop(ctx: Context, playbook: number, given: string) {
  const id = await runOf(ctx, playbook, given)
  const { rows } = await sql`
    update playbook_runs
    set state = 'REVOKED', reason = 'A user stopped the run.', ended_at = now(), claim = null, claimed_until = null
    where id = ${id} and ended_at is null
    returning id`.execute(ctx.db)
  if (rows.length === 0) throw conflict('The run has ended already.')
  return shown(ctx, id)
}

async function retry(ctx: Context, playbook: number, given: string) {
  const id = await runOf(ctx, playbook, given)
  const { rows } = await sql`
    update playbook_runs
    set state = 'PENDING', reason = null, ended_at = null, attempts = 0, due_at = now(), is_told = true
    where id = ${id} and state in ('FAILURE', 'REVOKED')
    returning id`.execute(ctx.db)
  if (rows.length === 0) throw conflict('Only a run that failed or was stopped can go on.')
  await sql`delete from playbook_run_steps where run = ${id} and state = 'FAILURE' and position = (
    select position from playbook_runs where id = ${id})`.execute(ctx.db)
  return shown(ctx, id)
}
