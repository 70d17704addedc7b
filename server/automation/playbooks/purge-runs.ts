import { type Kysely, sql } from 'kysely'
import { KEEP_RUNS_DAYS } from './playbook-runs.ts'

const BATCH = 5000

/**
 * Deletes runs that ended long ago, in small transactions, and gives their number. On which objects a version ran that runs once stays known,
 * so that it does not run there again.
 */
export async function purgeRuns(db: Kysely<unknown>, signal: AbortSignal): Promise<number> {
  let total = 0
  for (let count = BATCH; count === BATCH; total += count) {
    signal.throwIfAborted()
    count = await purgeSome(db)
  }
  await forgetVersions(db)
  await forgetEffects(db)
  return total
}

async function purgeSome(db: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from playbook_runs
      where id in (
        select id from playbook_runs
        where ended_at is not null and created_at < now() - make_interval(days => ${KEEP_RUNS_DAYS})
        limit ${BATCH})
      returning playbook, version, collection, object, occurrence
    ), kept as (
      insert into playbook_objects (playbook, version, collection, object)
      select playbook, version, collection, object from gone where occurrence = ''
      on conflict do nothing
    )
    select count(*)::integer as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}

/** Deletes what is known of versions that nothing executes or shows any more. */
async function forgetVersions(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from playbook_objects as o using playbooks as p where p.id = o.playbook and o.version < p.version`.execute(
    db,
  )
  await sql`
    delete from playbook_versions as v using playbooks as p
    where p.id = v.playbook and v.version < p.version
      and not exists (select from playbook_runs as r where r.playbook = v.playbook and r.version = v.version)`.execute(
    db,
  )
}

/** Deletes what steps of runs did that are no longer kept, and cannot be repeated. */
async function forgetEffects(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from playbook_effects as e
    where e.created_at < now() - make_interval(days => ${KEEP_RUNS_DAYS})
      and not exists (select from playbook_runs as r where r.id::text = left(e.key, 36))`.execute(db)
}
