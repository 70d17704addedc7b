import { z } from 'zod'
import { defineTask } from '../../../background/task.ts'
import { causedBy } from '../../../engine/cause.ts'
import { asCaller } from '../../../identity/access/as-caller.ts'
import { noCounts, shownCounts, undoableEntities, undoEffects } from './undo-effects.ts'

const BATCH_SIZE = 500

/** The permissions that taking effects back needs. */
export const UNDO_PERMISSIONS = ['modify rules', 'read entities', 'modify entities']

/** What is taken back. */
export const undoParameters = z.object({
  rule: z.int().describe('The id of the rule.'),
  run: z.uuid().optional().describe('Only what this run of the rule did.'),
  since: z.iso.datetime({ offset: true }).optional().describe('Only what it did since this time.'),
})

/** Takes back what a rule did. */
export const undoEntityRule = defineTask({
  type: 'undo-entity-rule',
  doc: 'Takes back what an entity rule did, as far as it is still as the rule left it, with the permissions of the user who starts it.',
  parameters: undoParameters,
  expireInSeconds: 6 * 3600,
  run: async (job) => {
    const scope = job.parameters
    const found = await asCaller(job, UNDO_PERMISSIONS, 'repeatable read', (ctx) => undoableEntities(ctx, scope))
    job.log(`There is something to take back on ${found.count} entities.`)
    const counts = noCounts()
    for (let from = 0; from < found.count; from += BATCH_SIZE) {
      job.signal.throwIfAborted()
      const batch = noCounts()
      await asCaller(job, UNDO_PERMISSIONS, 'read committed', async (ctx) => {
        // The transaction may be tried again.
        Object.assign(batch, noCounts())
        const cause = causedBy('rule-undo', scope.rule, [job.cause])
        await undoEffects({ ...ctx, cause }, scope, found.slice(from, from + BATCH_SIZE), batch)
      })
      counts.undone += batch.undone
      counts.kept += batch.kept
      for (const [reason, number] of batch.reasons)
        counts.reasons.set(reason, (counts.reasons.get(reason) ?? 0) + number)
      job.progress(Math.min(1, (from + BATCH_SIZE) / found.count))
    }
    job.log(`${counts.undone} effects were taken back, ${counts.kept} were kept.`)
    return { result: shownCounts(counts) }
  },
})
