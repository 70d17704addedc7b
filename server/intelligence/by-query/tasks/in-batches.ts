import type { Job, Outcome } from '../../../background/task.ts'
import type { Context } from '../../../engine/context.ts'
import { refusal } from '../../../engine/errors.ts'
import { asCaller } from '../../../identity/access/as-caller.ts'
import type { Snapshot } from '../snapshot.ts'

const BATCH_SIZE = 500

/** Found entities, and what to do with them. */
export interface Step {
  readonly found: Snapshot
  /** How many more were found that are unified entities, which cannot be changed. */
  readonly unified?: number
  /** Processes a batch in one transaction, and returns how many entities it changed. */
  work(ctx: Context, ids: readonly string[]): Promise<number>
}

/**
 * Processes all found entities in batches of one transaction each, with the permissions that the user has at that time. `plan`
 * finds the entities once and in one snapshot, so that the work cannot change the selection.
 */
export async function inBatches(
  job: Job<unknown>,
  needed: readonly string[],
  plan: (ctx: Context) => Promise<readonly Step[]>,
): Promise<Outcome> {
  const { signal, progress, log } = job
  const steps = await asCaller(job, needed, 'repeatable read', plan)
  const total = steps.reduce((sum, { found }) => sum + found.count, 0)
  const unified = steps[0]?.unified ?? 0
  const matched = steps[0]?.found.count ?? 0
  const result = { matched, changed: 0, unchanged: 0, failed: 0, batches: 0, ...(unified > 0 && { unified }) }
  log(`The query found ${matched} entities.`)
  if (unified > 0) log(`Unified entities that were left out: ${unified}. Change their contributors instead.`)
  let done = 0
  for (const { found, work } of steps) {
    for (let from = 0; from < found.count; from += BATCH_SIZE) {
      signal.throwIfAborted()
      const ids = found.slice(from, from + BATCH_SIZE)
      const changed = await asCaller(job, needed, 'read committed', (ctx) => work(ctx, ids)).catch((error) => {
        log(`${ids.length} entities were not changed: ${refusalIn(error).message}`)
        return undefined
      })
      if (changed === undefined) result.failed += ids.length
      else result.changed += changed
      result.batches++
      done += ids.length
      result.unchanged = done - result.changed - result.failed
      progress(done / total)
    }
  }
  return { result, ...(result.failed > 0 && { outcome: 'WARNING' as const }) }
}

/** The reason why a batch was refused. Any other failure ends the attempt. */
function refusalIn(error: unknown): Error {
  const refused = refusal(error)
  if (!refused || refused.status >= 500) throw error
  return refused
}
