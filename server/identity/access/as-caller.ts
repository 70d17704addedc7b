import { type Job, TaskError } from '../../background/task.ts'
import type { Context } from '../../engine/context.ts'
import { missing } from '../../engine/errors.ts'
import { retried } from '../../engine/retried.ts'
import { asUser } from './as-user.ts'

const FINAL = { isFinal: true }

type Isolation = 'repeatable read' | 'read committed'

/** Runs a transaction with the current permissions and visibility of the user who started the run. */
export const asCaller = <T>(
  job: Job<unknown>,
  needed: readonly string[],
  isolation: Isolation,
  run: (ctx: Context) => Promise<T>,
): Promise<T> => as(job, { id: job.callerId, who: 'the user who started it' }, needed, isolation, run)

/**
 * Runs a transaction with the current permissions and visibility of the user who last changed the object of the run.
 */
export const asOwner = <T>(
  job: Job<unknown>,
  owner: number | null,
  needed: readonly string[],
  isolation: Isolation,
  run: (ctx: Context) => Promise<T>,
): Promise<T> => as(job, { id: owner, who: 'the user who last changed it' }, needed, isolation, run)

async function as<T>(
  { db, vault, resources, taskTypes, cause }: Job<unknown>,
  { id, who }: { readonly id: number | null; readonly who: string },
  needed: readonly string[],
  isolation: Isolation,
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  const work = async (ctx: Omit<Context, 'caller'>): Promise<T> => {
    const caller = id === null ? undefined : await asUser(ctx, id)
    if (!caller)
      throw new TaskError(
        `The run uses the permissions of ${who}, but that account does not exist or is inactive.`,
        FINAL,
      )
    const lacking = needed.filter((permission) => !caller.permissions.has(permission))
    if (lacking.length > 0) throw new TaskError(missing(lacking).message, FINAL)
    return run({ ...ctx, caller })
  }
  return retried(() =>
    db
      .transaction()
      .setIsolationLevel(isolation)
      .execute((trx) => work({ db: trx, vault, resources, taskTypes, cause, baseUrl: '' })),
  )
}
