import { defineTask, type Job, type Outcome, TaskError } from '../../../background/task.ts'
import type { Context } from '../../../engine/context.ts'
import { ApiError } from '../../../engine/errors.ts'
import { asCaller } from '../../../identity/access/as-caller.ts'
import { parametersOf } from '../../../intelligence/by-query/selection.ts'
import { idsIn } from '../../../intelligence/by-query/snapshot.ts'
import { lockConsolidation } from '../lock.ts'
import { assignTogether, separate } from '../manual.ts'
import { listed, type Plan, partingEntities, planJoining, planParting } from './select.ts'

const NEEDED = ['modify entities', 'read entities']

const BATCH_SIZE = 1000

/** Joins what a user selected, in one transaction. */
export const consolidateEntities = defineTask({
  type: 'consolidate-entities-by-query',
  doc: 'Joins the selected entities of each type to one unified entity, with the permissions of the user who starts it.',
  parameters: parametersOf(listed),
  expireInSeconds: 3600,
  run: async (job) => {
    const { count, groups, refused } = await asCaller(job, NEEDED, 'read committed', async (ctx) => {
      await lockConsolidation(ctx.db)
      const { members, ...plan } = await forReaders(planJoining(ctx, job.parameters))
      for (const entities of members) await assignTogether(ctx, entities)
      return plan
    })
    job.log(`${count} entities were joined to ${groups.length} unified entities.`)
    return finish(job, { count, groups, refused })
  },
})

/** Takes apart what a user selected. */
export const deconsolidateEntities = defineTask({
  type: 'deconsolidate-entities-by-query',
  doc: 'Takes the selected entities out of their unified entities, with the permissions of the user who starts it.',
  parameters: parametersOf(listed),
  expireInSeconds: 6 * 3600,
  run: async (job) => {
    const { plan, found } = await asCaller(job, NEEDED, 'repeatable read', async (ctx) => ({
      plan: await forReaders(planParting(ctx, job.parameters)),
      found: await idsIn(ctx.db, await partingEntities(ctx, job.parameters)),
    }))
    const part = (from: number) => (ctx: Context) => separate(ctx, found.slice(from, from + BATCH_SIZE))
    for (let from = 0; from < found.count; from += BATCH_SIZE) {
      job.signal.throwIfAborted()
      await asCaller(job, NEEDED, 'read committed', part(from))
      job.progress(Math.min(1, (from + BATCH_SIZE) / found.count))
    }
    job.log(`${plan.count} entities were taken out of their unified entities.`)
    return finish(job, plan)
  },
})

/** What could be refused before the run cannot be done any more: another attempt would be refused as well. */
async function forReaders<T>(planning: Promise<T>): Promise<T> {
  return planning.catch((error) => {
    if (error instanceof ApiError && error.status < 500) throw new TaskError(error.message, { isFinal: true })
    throw error
  })
}

function finish(job: Job<unknown>, { count, groups, refused }: Plan): Outcome {
  for (const each of refused) job.log(`${each.count} entities were not changed: ${each.reason}`)
  return { result: { count, groups, refused }, ...(refused.length > 0 && { outcome: 'WARNING' as const }) }
}
