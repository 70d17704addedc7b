import { sql } from 'kysely'
import { z } from 'zod'
import { parseBody } from '../../../engine/action.ts'
import type { Context } from '../../../engine/context.ts'
import { badRequest, tooBroad } from '../../../engine/errors.ts'
import { toUrl } from '../../../engine/reference.ts'
import { retried } from '../../../engine/retried.ts'
import type { Route } from '../../../engine/route.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { bodyOf, selectedEntities } from '../../../intelligence/by-query/selection.ts'
import { readExclusions } from '../../../intelligence/exclusion-lists.ts'
import { isVisibleOne } from '../../../intelligence/observables/sight.ts'
import { ask } from './ask.ts'
import { planRequests, withheldSamples } from './plan-requests.ts'
import { readRules, unusable } from './refusals.ts'
import { detonatorsIn, readOptions, toDetonators } from './request.ts'
import { addressOf, readSamples, type SeenSample } from './samples.ts'

/** The most samples of one request: more would use up the limits of most accounts. */
const MAX_SAMPLES = 1000

const body = bodyOf({
  ...toDetonators,
  kinds: z
    .array(z.enum(['attachments', 'observables']))
    .min(1)
    .default(['attachments', 'observables'])
    .describe('Which samples of the entities are meant: their attachments, or their observables that are addresses.'),
})

type Body = z.output<typeof body>

const result = z.object({
  entities: z.int().describe('The entities that were found.'),
  files: z.int().describe('Their distinct attachments.'),
  urls: z.int().describe('Their distinct addresses.'),
  submissions: z.int().describe('Detonations that were asked for, or would be.'),
  withheld: z
    .array(withheldSamples)
    .describe('How many samples a detonator must not receive or does not support, and why.'),
  detonations: z.array(z.url()).describe('The detonations; empty in a dry run.'),
})

type Result = z.output<typeof result>

/** Submits the attachments and addresses of entities that a query finds. */
export const detonateByQuery: Route<Body, Result> = {
  method: 'POST',
  path: '/entities/by-query/detonate',
  permission: 'modify detonations',
  isDetached: true,
  doc: {
    operationId: 'detonate_entities_by_query',
    summary: 'Submit the attachments and addresses of all visible entities that match a query. A dry run only counts',
    tag: 'entities',
    body: z.object({ data: body }),
    example: { data: { entities_query: 'tags:unreviewed', detonators: [1], dry_run: true } },
    success: { 200: z.object({ data: result }) },
    refusals: [400, 409, 422],
  },
  parse: ({ body: sent }) => parseBody(body, sent),
  guards: () => ['read detonations', 'read entities', 'read extracts'],
  run: detonate,
  answer: (data) => ({ status: 200, body: { data } }),
}

async function detonate(ctx: Context, given: Body): Promise<Result> {
  const ids = detonatorsIn(given)
  if (ids.length === 0) throw badRequest('detonators: is required, unless there is a detonator')
  const rules = await readRules(ctx, ids, ctx.caller.id)
  const known = ids.flatMap((id) => rules.get(id) ?? [])
  const unknown = ids.filter((id) => !rules.has(id)).map((id) => `detonators: there is no '${id}' in detonators`)
  const options = readOptions(ctx, known, given.options)
  const faults = [...unknown, ...options.faults]
  if (faults.length > 0) throw badRequest(faults)
  const refusal = known.map((each) => unusable(ctx, each)).find((each) => each !== undefined)
  if (refusal) throw refusal
  const { entities, samples } = await findSamples(ctx, given)
  const { asked, withheld } = planRequests(ctx, known, samples, options.byDetonator, await readExclusions(ctx.db))
  const made = given.dry_run
    ? []
    : await retried(() => ctx.db.transaction().execute((db) => ask({ ...ctx, db, lookup: undefined }, asked)))
  const count = (kind: string) => samples.filter((sample) => sample.kind === kind).length
  return {
    entities,
    files: count('file'),
    urls: count('url'),
    submissions: asked.length,
    withheld: [...withheld],
    detonations: [...new Set(made)].map((id) => toUrl(ctx.baseUrl, 'detonations', id)),
  }
}

/** The distinct samples of the entities. */
async function findSamples(
  ctx: Context,
  given: Body,
): Promise<{ readonly entities: number; readonly samples: SeenSample[] }> {
  const isWanted = await selectedEntities(ctx, given)
  const { rows } = await sql<{ entities: number; attachments: string[] | null; observables: number[] | null }>`
    with wanted as materialized (select t.id from entities as t where ${isWanted})
    select (select count(*)::integer from wanted) as entities,
      (select array_agg(found.target) from (
        select distinct l.target
        from wanted join entity_attachments as l on l.source = wanted.id join attachments as a on a.id = l.target
        where ${visible(ctx, resourceOf(ctx, 'attachments'), 'a')}
        order by 1 limit ${MAX_SAMPLES + 1}) as found) as attachments,
      (select array_agg(found.target) from (
        select distinct l.target
        from wanted join entity_observables as l on l.source = wanted.id join observables as o on o.id = l.target
        where o.type = 'uri' and ${isVisibleOne(ctx, 'o')}
        order by 1 limit ${MAX_SAMPLES + 1}) as found) as observables`.execute(ctx.db)
  const [found] = rows
  const has = (kind: Body['kinds'][number]) => given.kinds.includes(kind)
  const attachments = has('attachments') ? (found?.attachments ?? []) : []
  const observables = has('observables') ? (found?.observables ?? []) : []
  if (attachments.length + observables.length > MAX_SAMPLES)
    throw tooBroad(`there are more than ${MAX_SAMPLES} samples in one request.`)
  const samples = (await readSamples(ctx, { attachments, observables })).filter(
    ({ kind, url }) => kind === 'file' || !('fault' in addressOf(url ?? '')),
  )
  const distinct = new Map(samples.toSorted((a, b) => b.rank - a.rank).map((each) => [each.sha256 ?? each.url, each]))
  return { entities: found?.entities ?? 0, samples: [...distinct.values()] }
}
