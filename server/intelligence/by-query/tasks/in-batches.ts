import type { Job, Outcome } from '../../../background/task.ts'
import { refusal } from '../../../engine/errors.ts'
import type { Context } from '../../../engine/resource.ts'
import { asCaller } from '../../../identity/access/as-caller.ts'
import type { Snapshot } from '../snapshot.ts'

const BATCH = 500

/** What is done with the entities that were found. */
export interface Step {
  readonly found: Snapshot
  /** Works on some of them, all or nothing, and tells how many it changed. */
  work(ctx: Context, ids: readonly string[]): Promise<number>
}

/**
 * Does what somebody asked for to all entities that are found, as far as they may do and see it while it is done. What is found
 * is found once, by `plan` at one moment, so that the work cannot change what it is about. Each batch is one transaction.
 */
export async function inBatches(
  job: Job<unknown>,
  needed: readonly string[],
  plan: (ctx: Context) => Promise<readonly Step[]>,
): Promise<Outcome> {
  const { signal, progress, log } = job
  const steps = await asCaller(job, needed, 'repeatable read', plan)
  const total = steps.reduce((sum, { found }) => sum + found.count, 0)
  const result = { matched: steps[0]?.found.count ?? 0, changed: 0, unchanged: 0, failed: 0, batches: 0 }
  log(`The query found ${result.matched} entities.`)
  let done = 0
  for (const { found, work } of steps) {
    for (let from = 0; from < found.count; from += BATCH) {
      signal.throwIfAborted()
      const ids = found.slice(from, from + BATCH)
      const changed = await asCaller(job, needed, 'read committed', (ctx) => work(ctx, ids)).catch((error) => {
        log(`${ids.length} entities were left as they are: ${refusalIn(error).message}`)
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

/** What a batch was refused for; any other failure ends the attempt. */
function refusalIn(error: unknown): Error {
  const refused = refusal(error)
  if (!refused || refused.status >= 500) throw error
  return refused
}
