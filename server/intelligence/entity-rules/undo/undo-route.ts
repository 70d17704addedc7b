import { z } from 'zod'
import { parseBody } from '../../../engine/action.ts'
import type { Context } from '../../../engine/context.ts'
import { requireVisible } from '../../../engine/fetch.ts'
import { readId } from '../../../engine/query.ts'
import type { Id } from '../../../engine/reference.ts'
import type { Route } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { startSystemRun } from '../../by-query/start-run.ts'
import { noCounts, shownCounts, undoableEntities, undoEffects } from './undo-effects.ts'
import { undoEntityRule, undoParameters } from './undo-task.ts'

const BATCH_SIZE = 500

const body = undoParameters.omit({ rule: true }).extend({
  dry_run: z.boolean().default(false).describe('Only says what would be taken back and what would be kept.'),
})

const counts = z.object({
  undone: z.int(),
  kept: z.int(),
  reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
})

type Outcome = { readonly task_run: string } | z.output<typeof counts>

/** Takes back what a rule did. */
export const undoRule: Route<{ readonly id: string; readonly input: z.output<typeof body> }, Outcome> = {
  method: 'POST',
  path: '/entities/rules/:id/undo',
  permission: 'modify rules',
  doc: {
    operationId: 'undo_entity_rule',
    summary: 'Take back what a rule did, as far as it is still as the rule left it',
    tag: 'entity_rules',
    body: z.object({ data: body }),
    example: { data: { dry_run: true } },
    success: { 200: z.object({ data: counts }), 202: z.object({ data: z.object({ task_run: z.url() }) }) },
    refusals: [400, 404, 409],
  },
  parse: ({ params, body: sent }) => ({ id: params.id ?? '', input: parseBody(body, sent ?? {}) }),
  guards: () => ['read entities', 'modify entities'],
  run: async (ctx, { id, input: { dry_run, ...scope } }) => {
    const resource = resourceOf(ctx, 'entity_rules')
    const rule: Id = readId(resource, id)
    await requireVisible(ctx, resource, rule)
    if (dry_run) return tryOut(ctx, { ...scope, rule: Number(rule) })
    const parameters = { ...scope, rule: Number(rule) }
    return { task_run: await startSystemRun(ctx, 'Undo entity rules', undoEntityRule.type, parameters) }
  },
  answer: (data) => ({ status: 'task_run' in data ? 202 : 200, body: { data } }),
}

async function tryOut(ctx: Context, scope: z.output<typeof undoParameters>): Promise<Outcome> {
  const found = await undoableEntities(ctx, scope)
  const total = noCounts()
  for (let from = 0; from < found.count; from += BATCH_SIZE)
    await undoEffects(ctx, scope, found.slice(from, from + BATCH_SIZE), total, true)
  return shownCounts(total)
}
