import { type Kysely, sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { retried } from '../../engine/retried.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { severityOf } from '../../intelligence/observables/sight.ts'
import type { Server } from '../../server.ts'
import { IS_STUCK } from '../enrichers/lanes/finish-runs.ts'
import type { Rules } from '../enrichers/requests/classify.ts'
import { ask, readEnrichers, type Wish } from './ask.ts'
import { ableOwners } from './owners.ts'

const MAX_CHAINS = 1000
/** Then other work of the process has its turn. */
const MAX_ROUNDS = 20

/** An observable whose next enricher is to be asked. */
interface Due {
  readonly id: number
  readonly rule: number
  readonly observable: number
  readonly run: string | null
  readonly depth: number
  readonly owner: number | null
  /** Whether the rule is inactive, its run was stopped, or a verdict is strong enough. */
  readonly is_over: boolean
  /** Null if there is none left. */
  readonly next: number | null
}

/**
 * Asks the next enrichers of observables whose last one has answered, failed or was skipped. The step and the look-up are written in one
 * transaction, so that a process that ends in between leaves neither, and another one continues.
 */
export async function advanceChains(server: Server): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const count = await retried(() => server.db.transaction().execute((db) => advance({ ...server, db })))
    if (count === 0) return
  }
}

async function advance(server: Server): Promise<number> {
  const due = await claimDue(server.db)
  if (due.length === 0) return 0
  const owners = await ableOwners(
    server,
    due.flatMap(({ owner }) => owner ?? []),
  )
  const wanted = due.filter(({ is_over, next }) => !is_over && next !== null)
  const going = wanted.filter(({ owner }) => owners.has(owner ?? 0))
  await tellRuns(
    server.db,
    wanted.filter((each) => each.run !== null && !owners.has(each.owner ?? 0)),
  )
  const enrichers = await readEnrichers(server, [...new Set(going.flatMap(({ next }) => next ?? []))])
  // Usually one group for each owner: for new data, and for each of their runs.
  for (const group of Map.groupBy(going, ({ owner, run, depth }) => `${owner} ${run} ${depth}`).values()) {
    await askNext(server, group, owners, enrichers)
  }
  await settle(server.db, due, going)
  return due.length
}

/** Whether the observable of the chain `c` is still being looked up by the enricher `e` that it waits for. */
const IS_WAITING = sql`case
  when e.id is null then false
  -- If the enricher cannot go on, its run ends with the reason.
  when c.run is not null then exists (
    select from enrichment_outcomes as o
    where o.run = c.run and o.enricher = e.id and o.observable = c.observable and o.state = 'PENDING')
  -- The look-up stays in the queue, but the others are asked meanwhile.
  when ${IS_STUCK} then false
  else exists (select from enrichment_requests as q where q.enricher = e.id and q.observable = c.observable) end`

/** Whether one of the enrichers that were asked gave a verdict that is strong enough for the rule `r`. What failed is no verdict. */
const IS_ANSWERED = sql`exists (
  select from enrichments as f cross join lateral jsonb_array_elements(f.findings) as v(finding)
  where f.observable = c.observable and f.enricher = any(c.asked) and f.state = 'FOUND'
    and (f.looked_up_at >= c.created_at or f.expires_at > now())
    and v.finding ->> 'kind' = 'verdict'
    and ${severityOf(sql`v.finding ->> 'maliciousness'`)} >= ${severityOf(sql`r.stop_at`)})`

/** The next enricher of the chain `c`: the cheapest, then by their order in the rule. Those that cannot go on come last. */
const NEXT = sql`(
  select e.id
  from enrichment_rule_enrichers as l
  join enrichers as e on e.id = l.target
  join observables as o on o.id = c.observable and o.type = any(e.supported_observable_types)
  where l.source = c.rule and e.id <> all(c.asked) and e.is_active
  order by ${IS_STUCK}, coalesce(e.cost_per_call, 0), l.position, e.id
  limit 1)`

const IS_WANTED = sql`(r.is_active and not exists (
  select from task_runs as t where t.id = c.run and t.ended_at is not null))`

const IS_DUE = sql`(not ${IS_WANTED} or not ${IS_WAITING})`

/**
 * Locks chains that can go on, and finds out how. The second statement decides: the first one, which waits for no other process, may have
 * begun before another process took a step, and then sees the chain with that step but not the look-up that belongs to it.
 */
async function claimDue(db: Kysely<unknown>): Promise<readonly Due[]> {
  const { rows: locked } = await sql<{ id: number }>`
    select c.id
    from enrichment_chains as c
    join enrichment_rules as r on r.id = c.rule
    left join enrichers as e on e.id = c.waits_for
    where ${IS_DUE}
    order by c.id
    limit ${MAX_CHAINS}
    for update of c skip locked`.execute(db)
  if (locked.length === 0) return []
  const { rows } = await sql<Due>`
    select c.id, c.rule, c.observable, c.run, c.depth, r.owner, (not ${IS_WANTED} or ${IS_ANSWERED}) as is_over, ${NEXT} as next
    from enrichment_chains as c
    join enrichment_rules as r on r.id = c.rule
    left join enrichers as e on e.id = c.waits_for
    where c.id = any(${locked.map(({ id }) => id)}::bigint[]) and ${IS_DUE}
    order by c.id`.execute(db)
  return rows
}

async function askNext(
  server: Server,
  group: readonly Due[],
  owners: ReadonlyMap<number, Seeing>,
  enrichers: ReadonlyMap<number, Rules>,
): Promise<void> {
  const [{ owner, run, depth } = { owner: 0, run: null, depth: 0 }] = group
  const caller = owners.get(owner ?? 0)
  if (!caller) return
  const wishes = [...Map.groupBy(group, (due) => `${due.rule} ${due.next}`).values()].flatMap((same): Wish[] => {
    const [first] = same
    if (!first || first.next === null) return []
    return [{ rule: first.rule, enricher: first.next, observables: same.map(({ observable }) => observable) }]
  })
  const cause = depth > 0 ? { kind: 'follower', id: 'enrichment-rules', depth } : undefined
  const ctx: Context = { ...server, caller, cause, baseUrl: '', lookup: undefined }
  await ask(ctx, wishes, enrichers, run ?? undefined)
}

/** Tells runs which look-ups are not done because the owner of the rule may not ask for them. */
async function tellRuns(db: Kysely<unknown>, unasked: readonly Due[]): Promise<void> {
  if (unasked.length === 0) return
  await sql`
    insert into enrichment_outcomes (run, enricher, observable, state, reason)
    select run, next, observable, 'NOT_DONE', ${UNABLE}
    from jsonb_to_recordset(${JSON.stringify(unasked)}::jsonb) as i(run uuid, next integer, observable integer)
    order by 1, 2, 3
    on conflict do nothing`.execute(db)
}

const UNABLE = 'The user who last saved the rule may no longer look observables up.'

/** Notes whom the chains wait for, and ends the others. */
async function settle(db: Kysely<unknown>, due: readonly Due[], going: readonly Due[]): Promise<void> {
  await sql`
    update enrichment_chains as c set asked = c.asked || i.next, waits_for = i.next
    from unnest(${going.map(({ id }) => id)}::bigint[], ${going.map(({ next }) => next)}::integer[]) as i(id, next)
    where c.id = i.id`.execute(db)
  const stays = new Set(going)
  await sql`
    delete from enrichment_chains where id = any(${due.flatMap((each) => (stays.has(each) ? [] : each.id))}::bigint[])`.execute(
    db,
  )
}
