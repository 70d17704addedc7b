import { z } from 'zod'
import { parseBody } from '../../../engine/action.ts'
import type { Context } from '../../../engine/context.ts'
import type { Route } from '../../../engine/route.ts'
import { bodyOf } from '../../../intelligence/by-query/selection.ts'
import { startSystemRun } from '../../../intelligence/by-query/start-run.ts'
import { type Chosen, idsOf, listed, type Plan, plan, planJoining, planParting } from './select.ts'

interface ByQuery {
  readonly name: string
  readonly title: string
  readonly doc: string
  readonly path: string
  readonly task: string
  /** What would be done. Refuses what cannot be done before a run starts. */
  plan(ctx: Context, chosen: Chosen): Promise<Plan>
}

const body = bodyOf(listed)

type Outcome = Plan | { readonly task_run: string }

/** Defines an operation that is done by a run. It responds with the run, or for a dry run with what would be done. */
const defineByQuery = ({
  name,
  title,
  doc,
  path,
  task,
  plan: makePlan,
}: ByQuery): Route<z.output<typeof body>, Outcome> => ({
  method: 'POST',
  path,
  permission: 'modify entities',
  doc: {
    operationId: name,
    summary: doc,
    tag: 'entities',
    body: z.object({ data: body }),
    example: { data: { entities_query: 'type:threat-actor AND data.title:"Grey Heron"', dry_run: true } },
    success: { 200: z.object({ data: plan }), 202: z.object({ data: z.object({ task_run: z.url() }) }) },
    refusals: [400, 409, 422],
  },
  parse: ({ body: sent }) => parseBody(body, sent),
  // What a query finds reveals its content.
  guards: () => ['read entities'],
  run: async (ctx, { dry_run, entities, ...selection }) => {
    const chosen = { ...selection, entities: await idsOf(ctx, entities), at: new Date().toISOString() }
    const { count, groups, refused } = await makePlan(ctx, chosen)
    return dry_run ? { count, groups, refused } : { task_run: await startSystemRun(ctx, title, task, chosen) }
  },
  answer: (data) => ({ status: 'count' in data ? 200 : 202, body: { data } }),
})

/** Joining entities and taking them apart by hand. */
export const consolidateRoutes: readonly Route[] = [
  defineByQuery({
    name: 'consolidate_entities_by_query',
    title: 'Consolidate entities by query',
    doc: 'Join the selected entities of each type to one unified entity',
    path: '/entities/by-query/consolidate',
    task: 'consolidate-entities-by-query',
    plan: planJoining,
  }),
  defineByQuery({
    name: 'deconsolidate_entities_by_query',
    title: 'Deconsolidate entities by query',
    doc: 'Take the selected entities out of their unified entities, and keep policies from joining them again',
    path: '/entities/by-query/deconsolidate',
    task: 'deconsolidate-entities-by-query',
    plan: planParting,
  }),
]
