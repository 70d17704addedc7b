import { asUser } from '../../auth/as-user.ts'
import { isTransient, missing, refusal } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { type Job, type Outcome, TaskError } from '../task.ts'
import type { Snapshot } from './snapshot.ts'

const BATCH = 500
const ATTEMPTS = 4

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

/** Runs a transaction with the rights and the sight that the starter of the run has now. */
async function asCaller<T>(
  job: Job<unknown>,
  needed: readonly string[],
  isolation: 'repeatable read' | 'read committed',
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  const { db, vault, resources } = job
  for (let attempt = 1; ; attempt++) {
    try {
      return await db
        .transaction()
        .setIsolationLevel(isolation)
        .execute(async (trx) => {
          const caller = job.callerId === null ? undefined : await asUser({ db: trx }, job.callerId)
          if (!caller) throw new TaskError('The run works for who started it, and there is no such user.', FINAL)
          const lacking = needed.filter((permission) => !caller.permissions.has(permission))
          if (lacking.length > 0) throw new TaskError(missing(lacking).message, FINAL)
          return run({ db: trx, vault, resources, caller, baseUrl: '' })
        })
    } catch (error) {
      if (attempt >= ATTEMPTS || !isTransient(error)) throw error
    }
  }
}

const FINAL = { isFinal: true }

/** What a batch was refused for; any other failure ends the attempt. */
function refusalIn(error: unknown): Error {
  const refused = refusal(error)
  if (!refused || refused.status >= 500) throw error
  return refused
}
