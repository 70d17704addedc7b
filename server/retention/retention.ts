import { sql } from 'kysely'
import { z } from 'zod'
import { removeAll } from '../background/remove-all.ts'
import { defineTask, type Job } from '../background/task.ts'
import type { Context } from '../engine/context.ts'
import { NOBODY } from '../engine/route.ts'
import { entities } from '../intelligence/entities/entities.ts'
import { removeEntities } from '../intelligence/entities/remove.ts'
import { subjects, type What } from './subjects.ts'

const BATCH = 500
/** The maximum retention period, in days. */
const MAX_DAYS = 36_500

/** Deletes data that the active retention policies no longer keep. */
export const retention = defineTask({
  type: 'retention',
  doc: 'Deletes data older than the active retention policies allow.',
  parameters: z.object({}),
  isUnique: true,
  retryLimit: 3,
  retryDelay: 60,
  expireInSeconds: 6 * 3600,
  run: async (job) => {
    const policies = await activePolicies(job)
    const removed: Record<string, number> = {}
    for (const [index, { what, days }] of policies.entries()) {
      const count = await removalOf(what)(job, what, days)
      removed[what] = count
      job.progress((index + 1) / policies.length)
      if (count > 0) job.log(`Deleted ${count} ${subjects[what].doc}.`)
    }
    return { result: { removed } }
  },
})

interface Policy {
  readonly what: What
  readonly days: number
}

/** The shortest of several policies applies. Feeds with their own retention period for blocks do not need a policy. */
async function activePolicies({ db }: Pick<Job, 'db'>): Promise<Policy[]> {
  const { rows } = await sql<Policy>`
    select p.what, min(p.keep_days) as days
    from (
      select what, keep_days from retention_policies where is_active
      union all
      select 'content-blocks', ${MAX_DAYS}::integer where exists (select from outgoing_feeds where keep_days is not null)
    ) as p
    group by p.what
    order by p.what`.execute(db)
  return rows
}

type Removal = (job: Job<unknown>, what: What, days: number) => Promise<number>

function removalOf(what: What): Removal {
  if (what === 'inactive-entities') return (job, _, days) => removeInactive(job, days)
  return subjects[what].purge ? purgeRows : removeRows
}

const purgeRows: Removal = async ({ db }, what, days) =>
  (await subjects[what].purge?.(db, subjects[what].isOld(days))) ?? 0

const removeRows: Removal = ({ db, signal }, what, days) =>
  removeAll(db, subjects[what].table, subjects[what].isOld(days), signal)

// The platform itself deletes these entities, independent of who can see them.
const seenEntities = { ...entities, visibility: undefined }

/** Walks along the ids, so that every entity is checked once. Attached data is deleted with its entity. */
async function removeInactive(
  { db, vault, resources, taskTypes, cause, signal }: Job<unknown>,
  days: number,
): Promise<number> {
  const isOld = subjects['inactive-entities'].isOld(days)
  for (let total = 0, last = '00000000-0000-0000-0000-000000000000'; ; ) {
    signal.throwIfAborted()
    const ids = await db.transaction().execute(async (trx) => {
      // Among millions of entities in use, the next inactive one may be far away.
      await sql`set local statement_timeout = 0`.execute(trx)
      const { rows } = await sql<{ id: string }>`
        select t.id from entities as t
        where t.id > ${last}::uuid and ${isOld}
        order by t.id
        limit ${BATCH}`.execute(trx)
      const ctx: Context = { db: trx, vault, resources, taskTypes, cause, caller: NOBODY, baseUrl: '' }
      const found = await lockOld(
        ctx,
        rows.map(({ id }) => id),
        days,
      )
      if (found.length > 0) await removeEntities(ctx, seenEntities, found)
      return { last: rows.at(-1)?.id, removed: found.length }
    })
    total += ids.removed
    if (ids.last === undefined) return total
    last = ids.last
  }
}

/** Locks in the same order as all writers. An entity that was changed in the meantime is skipped. */
async function lockOld(ctx: Context, ids: readonly string[], days: number): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select t.id from entities as t
    where t.id = any(${ids}::uuid[]) and ${subjects['inactive-entities'].isOld(days)}
    order by t.stix_id
    for update of t`.execute(ctx.db)
  return rows.map(({ id }) => id)
}
