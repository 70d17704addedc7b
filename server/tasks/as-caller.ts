import { asUser } from '../auth/as-user.ts'
import { missing } from '../engine/errors.ts'
import type { Context } from '../engine/resource.ts'
import { retried } from '../engine/retried.ts'
import { type Job, TaskError } from './task.ts'

const FINAL = { isFinal: true }

/** Runs a transaction with the rights and the sight that the starter of the run has now. */
export async function asCaller<T>(
  job: Job<unknown>,
  needed: readonly string[],
  isolation: 'repeatable read' | 'read committed',
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  const { db, vault, resources } = job
  const work = async (ctx: Omit<Context, 'caller'>): Promise<T> => {
    const caller = job.callerId === null ? undefined : await asUser(ctx, job.callerId)
    if (!caller) throw new TaskError('The run works for who started it, and there is no such user.', FINAL)
    const lacking = needed.filter((permission) => !caller.permissions.has(permission))
    if (lacking.length > 0) throw new TaskError(missing(lacking).message, FINAL)
    return run({ ...ctx, caller })
  }
  return retried(() =>
    db
      .transaction()
      .setIsolationLevel(isolation)
      .execute((trx) => work({ db: trx, vault, resources, baseUrl: '' })),
  )
}
