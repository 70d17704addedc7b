import { type Kysely, sql } from 'kysely'
import { isFree } from '../../claims.ts'
import { withdraw } from '../requests/withdraw.ts'
import { describeRun, type RunCount, stateOfRun } from './describe-run.ts'
import { HOPELESS_FAULTS, MAX_WAIT_SECONDS } from './faults.ts'

/** Withdraws what runs that were stopped, or that cannot go on, still wait for, and ends runs whose look-ups have all ended. */
export async function finishRuns(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select from task_runs where is_waiting and ended_at is null
    union all
    select from enrichment_requesters as r join task_runs as t on t.id = r.run and t.ended_at is not null
    limit 1`.execute(db)
  if (rows.length === 0) return
  await db
    .transaction()
    .execute((trx) =>
      withdraw(
        trx,
        sql`exists (select from task_runs as t where t.id = r.run and t.ended_at is not null)`,
        'The run was stopped.',
      ),
    )
  for (const [isStuck, reason] of STUCK) {
    await db.transaction().execute((trx) => withdraw(trx, waitsFor(isStuck), reason))
  }
  await giveUpForDeletedUsers(db)
  await reportProgress(db)
  await db.transaction().execute(endRuns)
}

/** The reason that tells look-ups which a limit prevented from others. */
export const CAP = 'A limit of the enricher is reached.'

/** Conditions on an enricher `e` under which a run does not wait for it, from the most specific. */
const STUCK = [
  [sql`not e.is_active`, 'The enricher is not active.'],
  [sql`e.suspended_at is not null`, 'The enricher is suspended.'],
  [sql`e.waits_until > now() + make_interval(secs => ${MAX_WAIT_SECONDS}::integer)`, CAP],
  [sql`e.faults >= ${sql.lit(HOPELESS_FAULTS)}`, 'The service of the enricher cannot be reached.'],
] as const

/** Whether an enricher `e` cannot go on for so long that nothing should wait for it. */
export const IS_STUCK = sql`coalesce(${sql.join(
  STUCK.map(([isStuck]) => isStuck),
  sql` or `,
)}, false)`

/** Requests of waiting runs at such enrichers. A look-up in progress may still succeed. */
const waitsFor = (isStuck: (typeof STUCK)[number][0]) => sql`
  exists (select from task_runs as t where t.id = r.run and t.is_waiting and t.ended_at is null)
  and exists (select from enrichers as e where e.id = r.enricher and ${isStuck})
  and exists (
    select from enrichment_requests as q
    where q.enricher = r.enricher and q.observable = r.observable and ${isFree('q')})`

/** The requests of users are deleted with them, and nothing else would tell their runs. */
async function giveUpForDeletedUsers(db: Kysely<unknown>): Promise<void> {
  await sql`
    update enrichment_outcomes as o set state = 'NOT_DONE', reason = 'The user who asked was deleted.'
    from task_runs as t
    where t.id = o.run and t.is_waiting and t.ended_at is null and t.created_by is null and o.state = 'PENDING'
      and not exists (
        select from enrichment_requesters as r
        where r.run = o.run and r.enricher = o.enricher and r.observable = o.observable)`.execute(db)
}

async function reportProgress(db: Kysely<unknown>): Promise<void> {
  await sql`
    update task_runs as t set progress = p.done, last_updated_at = now()
    from (
      select o.run, (count(*) filter (where o.state <> 'PENDING')::real
        / (count(*) + (select count(*) from enrichment_chains as c where c.run = o.run))) as done
      from enrichment_outcomes as o join task_runs as r on r.id = o.run and r.is_waiting and r.ended_at is null
      group by o.run
    ) as p
    where t.id = p.run and t.ended_at is null and t.progress < p.done`.execute(db)
}

/** How many samples of look-ups without a result a run shows. */
const MAX_SAMPLES = 20

interface Ended {
  readonly id: string
  readonly counts: readonly RunCount[]
  readonly samples: readonly unknown[]
}

async function endRuns(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Ended>`
    with ended as materialized (
      select t.id from task_runs as t
      where t.is_waiting and t.ended_at is null
        and not exists (select from enrichment_outcomes as o where o.run = t.id and o.state = 'PENDING')
        and not exists (select from enrichment_chains as c where c.run = t.id)
      order by t.id
      for update of t skip locked
    )
    select ended.id, coalesce((
        select jsonb_agg(jsonb_build_object(
          'enricher', c.enricher, 'name', c.name, 'state', c.state, 'reason', c.reason, 'count', c.count) order by c.enricher, c.state, c.reason)
        from (
          select o.enricher, e.name, o.state, case when o.state in ('NOT_DONE', 'SKIPPED', 'FAILED') then o.reason end as reason, count(*) as count
          from enrichment_outcomes as o join enrichers as e on e.id = o.enricher
          where o.run = ended.id
          group by 1, 2, 3, 4
        ) as c
      ), '[]') as counts, coalesce((
        select jsonb_agg(jsonb_build_object('enricher', s.enricher, 'observable', s.observable, 'state', s.state, 'reason', s.reason))
        from (
          select * from enrichment_outcomes as o
          where o.run = ended.id and o.state in ('FAILED', 'SKIPPED', 'NOT_DONE')
          order by o.state, o.enricher, o.observable
          limit ${MAX_SAMPLES}
        ) as s
      ), '[]') as samples
    from ended`.execute(db)
  if (rows.length === 0) return
  const ends = rows.map(({ id, counts, samples }) => {
    const state = stateOfRun(counts, CAP)
    const result = { ...describeRun(counts), samples }
    return { id, state, result, error: state === 'FAILURE' ? result.summary : null }
  })
  await sql`
    update task_runs as t
    set state = i.state, result = i.result, error_detail = i.error, progress = 1, ended_at = now(), last_updated_at = now(), is_waiting = false,
      log = t.log || (i.result ->> 'summary')
    from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as i(id uuid, state text, result jsonb, error text)
    where t.id = i.id`.execute(db)
}
