import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, type Outcome } from '../../../background/task.ts'
import { asCaller } from '../../../identity/access/as-caller.ts'
import { readRules } from '../requests/candidates.ts'
import { enqueue } from '../requests/enqueue.ts'
import { findObservables } from './found-observables.ts'
import { type EnrichParameters, enrichParameters, hasQuery } from './selection.ts'

/** The permissions that looking up needs. */
export const ENRICH_PERMISSIONS = ['modify enrichments', 'read entities', 'read extracts']

const BATCH_SIZE = 1000

/** Looks up observables with several enrichers. */
export const enrichObservables = defineTask({
  type: 'enrich-observables',
  doc: 'Looks up observables with enrichers, with the permissions of the user who starts it.',
  parameters: enrichParameters,
  run: (job) => enrich(job, job.parameters),
})

/** The task of an enricher. */
export const enricherTask = defineTask({
  type: 'enricher',
  doc: 'Looks up observables with one enricher; without any, those again whose results have expired. Each enricher owns one of these tasks.',
  parameters: enrichParameters.extend({ enricher: z.int().describe('The id of the enricher.') }),
  run: async (job) => {
    const { enricher, ...wanted } = job.parameters
    const hasSelection = hasQuery(wanted) || wanted.entities.length > 0 || wanted.observables.length > 0
    return enrich(job, { ...wanted, enrichers: [enricher], is_expired: wanted.is_expired || !hasSelection })
  },
})

/** Adds the look-ups to the queues of the enrichers, which end the run when all of them have ended. */
async function enrich(job: Job<unknown>, wanted: EnrichParameters): Promise<Outcome> {
  const plan = await asCaller(job, ENRICH_PERMISSIONS, 'repeatable read', async (ctx) => {
    await sql`set local statement_timeout = '10min'`.execute(ctx.db)
    return { rules: await readRules(ctx, wanted.enrichers), ids: await findObservables(ctx, wanted) }
  })
  const counts = { look_ups: 0, cached: 0, skipped: 0 }
  for (let from = 0; from < plan.ids.length; from += BATCH_SIZE) {
    job.signal.throwIfAborted()
    const observables = plan.ids.slice(from, from + BATCH_SIZE)
    const added = await asCaller(job, ENRICH_PERMISSIONS, 'read committed', (ctx) =>
      enqueue(ctx, { enrichers: plan.rules, observables, run: job.id, isForced: wanted.force }),
    )
    for (const name of ['look_ups', 'cached', 'skipped'] as const) counts[name] += added[name]
  }
  await sql`
    update enrichers set last_run = ${job.id} where id = any(${wanted.enrichers}::integer[])`.execute(job.db)
  job.log(
    `${plan.ids.length} observables: ${counts.look_ups} look-ups, ${counts.cached} with a valid result, ${counts.skipped} skipped.`,
  )
  return { result: null, outcome: 'WAITING' }
}
