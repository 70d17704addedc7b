import { type RawBuilder, sql } from 'kysely'
import type { Job } from '../../background/task.ts'
import type { Cause } from '../../engine/cause.ts'
import type { Context } from '../../engine/context.ts'
import { retried } from '../../engine/retried.ts'
import { NOBODY } from '../../engine/route.ts'
import { idsIn } from '../../intelligence/by-query/snapshot.ts'
import { type Regrouped, regroup } from './regroup.ts'

const BATCH_SIZE = 2000

/** What all batches of a run did. */
export type Counts = { -readonly [K in keyof Regrouped]: Regrouped[K] }

/**
 * Groups the entities that a query returns as `id` again, in batches of one transaction each. A run that ended early is repeated from the
 * beginning, which writes only what is left to do.
 */
export async function regroupAll(
  job: Job<unknown>,
  query: RawBuilder<unknown>,
  { cause, reason }: { readonly cause: Cause; readonly reason?: string },
): Promise<Counts> {
  const found = await job.db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = '10min'`.execute(trx)
    return idsIn(trx, query)
  })
  const counts: Counts = { judged: 0, joined: 0, left: 0, groups: 0, suggestions: 0, full: 0, overgrown: new Set() }
  for (let from = 0; from < found.count; from += BATCH_SIZE) {
    job.signal.throwIfAborted()
    const batch = await inTransaction(job, cause, (ctx) => regroup(ctx, found.slice(from, from + BATCH_SIZE), reason))
    for (const name of ['judged', 'joined', 'left', 'groups', 'suggestions', 'full'] as const)
      counts[name] += batch[name]
    counts.overgrown = counts.overgrown.union(batch.overgrown)
    job.progress(Math.min(1, (from + BATCH_SIZE) / found.count))
  }
  return counts
}

const inTransaction = <T>(
  { db, vault, resources, taskTypes }: Job<unknown>,
  cause: Cause,
  work: (ctx: Context) => Promise<T>,
): Promise<T> =>
  retried(() =>
    db
      .transaction()
      .execute((trx) => work({ db: trx, vault, resources, taskTypes, caller: NOBODY, baseUrl: '', cause })),
  )
