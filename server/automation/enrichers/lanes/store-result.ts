import { sql } from 'kysely'
import { storableText } from '../../../domain/storable-text.ts'
import { TLP, type Tlp } from '../../../domain/tlp.ts'
import { causedBy } from '../../../engine/cause.ts'
import { retried } from '../../../engine/retried.ts'
import { NOBODY } from '../../../engine/route.ts'
import { keyOf } from '../../../identity/access/visibility.ts'
import { prepareSearch } from '../../../intelligence/entities/search-preparation.ts'
import type { Server } from '../../../server.ts'
import { sourceContext } from '../../as-source.ts'
import { type Finding, type LookUpResult, MAX_FINDINGS } from '../function.ts'
import { rankFor } from '../requests/enqueue.ts'
import type { Claimed } from './claim.ts'
import type { Permission } from './requesters.ts'
import { resolveTechniques } from './resolve-techniques.ts'
import { type EntityPlan, planEntities, storeEntities } from './store-entities.ts'
import { type Place, storeLinks, storeVerdict, verdictOf } from './store-findings.ts'
import type { Work } from './work.ts'

/** The end of a look-up. */
export type Result = LookUpResult | { readonly state: 'FAILED'; readonly reason: string }

/** The stored answer of the source. */
export interface Raw {
  readonly sha256: string
  readonly size: number
}

/**
 * Stores the end of a look-up exactly once: the transaction that stores it removes the request, and does nothing if another process
 * has taken that over. Returns whether it was stored.
 */
export async function storeResult(
  server: Server,
  claimed: Claimed,
  work: Work,
  permission: Permission,
  given: Result,
  raw?: Raw,
): Promise<boolean> {
  const result = await resolveTechniques(server, bounded(given))
  const colour = (work.tlp_color ?? null) as Tlp | null
  const vis = keyOf(work.source_number, rankFor(permission.rank ?? TLP.length - 1, colour))
  const place: Place = { ...claimed, sourceNumber: work.source_number, vis }
  const findings = result.state === 'FOUND' ? result.findings : []
  const owner = { enricher: work.id, name: work.name, source: work.source }
  const plan = planEntities(findings, owner, { type: work.type, value: work.value }, vis)
  const prepared =
    plan.items.length > 0
      ? await prepareSearch({ ...server, caller: NOBODY, baseUrl: '' }, plan.items as never)
      : undefined
  return retried(() =>
    server.db.transaction().execute(async (db) => {
      const ended = await endRequest(db, claimed, permission, result)
      if (!ended) return false
      const cause = { ...causedBy('enricher', work.id, []), depth: permission.depth + 1 }
      const ctx = await sourceContext(server, db, [work.source], cause)
      const warnings: string[] = [...(result.state === 'FOUND' ? (result.warnings ?? []) : []), ...plan.warnings]
      if (result.state === 'FOUND' || result.state === 'EMPTY') {
        warnings.push(...(await storeAll(ctx, place, findings, plan, prepared)))
      }
      await storeEnrichment(db, place, work, permission, { result, warnings, raw, ended })
      return true
    }),
  )
}

async function storeAll(
  ctx: Parameters<typeof storeVerdict>[0],
  place: Place,
  findings: readonly Finding[],
  plan: EntityPlan,
  prepared: Parameters<typeof storeEntities>[3],
): Promise<string[]> {
  await storeEntities(ctx, place, plan, prepared)
  // Observables come last, in the order of all writers.
  const warnings = await storeLinks(ctx, place, findings)
  await storeVerdict(ctx, place, verdictOf(findings))
  return warnings
}

/** The findings up to the limit, without the content of attachments, which is not stored. */
function bounded(result: Result): Result {
  if (result.state !== 'FOUND') return result
  const attachments = result.findings.filter(({ kind }) => kind === 'attachment').length
  const rest = result.findings.filter(({ kind }) => kind !== 'attachment')
  const more = rest.length - MAX_FINDINGS
  return {
    ...result,
    findings: rest.slice(0, MAX_FINDINGS),
    warnings: [
      ...(result.warnings ?? []),
      ...(attachments > 0 ? [`${attachments} attachments were left out.`] : []),
      ...(more > 0 ? [`${more} further findings were left out.`] : []),
    ],
  }
}

/** For whom a request ended: the first of those whom it was not refused. */
interface Ended {
  readonly user: number | null
  readonly run: string | null
}

/** Removes the request if this process still holds it, and tells its runs what became of it. */
async function endRequest(
  db: Server['db'],
  { enricher, observable, claim }: Claimed,
  { rank, refused }: Permission,
  result: Result,
): Promise<Ended | undefined> {
  const { rows } = await sql`
    select from enrichment_requests
    where enricher = ${enricher} and observable = ${observable} and claim = ${claim}::uuid
    for update`.execute(db)
  if (rows.length === 0) return undefined
  const users = [...refused.keys()]
  const { rows: others } = await sql<Ended>`
    select r."user", r.run
    from enrichment_requesters as r left join task_runs as t on t.id = r.run
    where r.enricher = ${enricher} and r.observable = ${observable} and r."user" <> all(${users}::integer[])
      and (r.run is null or t.ended_at is null)
    order by r.id
    limit 1`.execute(db)
  const isLeft = rank === null && others.length > 0
  const reason = 'reason' in result ? storableText(result.reason, 2000) : null
  await sql`
    with told as (
      select r.run, i.reason as refusal
      from enrichment_requesters as r
      left join unnest(${users}::integer[], ${users.map((user) => refused.get(user) ?? '')}::text[]) as i("user", reason) on i."user" = r."user"
      where r.enricher = ${enricher} and r.observable = ${observable} and r.run is not null
    )
    update enrichment_outcomes as o
    set state = case when told.refusal is not null then 'SKIPPED' else ${result.state} end,
      reason = case when told.refusal is not null then told.refusal else ${reason} end
    from told
    where o.run = told.run and o.enricher = ${enricher} and o.observable = ${observable} and o.state = 'PENDING'
      and (told.refusal is not null or ${!isLeft})`.execute(db)
  if (isLeft) {
    await leaveToOthers(db, enricher, observable, users)
    return undefined
  }
  await sql`delete from enrichment_requests where enricher = ${enricher} and observable = ${observable}`.execute(db)
  return others[0] ?? { user: null, run: null }
}

/** Gives a request back that was refused for these users, because others, for whom it was not checked, wait for it too. */
async function leaveToOthers(
  db: Server['db'],
  enricher: number,
  observable: number,
  users: readonly number[],
): Promise<void> {
  await sql`
    delete from enrichment_requesters
    where enricher = ${enricher} and observable = ${observable} and "user" = any(${users}::integer[])`.execute(db)
  await sql`
    update enrichment_requests set claim = null, claimed_until = null, attempts = attempts - 1, due_at = now()
    where enricher = ${enricher} and observable = ${observable}`.execute(db)
}

interface Stored {
  readonly result: Result
  readonly warnings: readonly string[]
  readonly raw: Raw | undefined
  readonly ended: Ended
}

/** Stores what readers see. A failure keeps the findings of before, and is never used again in place of a look-up. */
async function storeEnrichment(
  db: Server['db'],
  { enricher, observable, vis }: Place,
  { cache_validity }: Work,
  permission: Permission,
  { result, warnings, raw, ended }: Stored,
): Promise<void> {
  const isAnswer = result.state === 'FOUND' || result.state === 'EMPTY'
  const reason = 'reason' in result ? storableText(result.reason, 2000) : null
  const findings = result.state === 'FOUND' ? result.findings : []
  // Nothing was looked up. A result of before stays.
  if (permission.rank === null) {
    await sql`
      delete from enrichments
      where enricher = ${enricher} and observable = ${observable} and looked_up_at is null and not ${permission.isWanted}`.execute(
      db,
    )
    await sql`
      update enrichments set state = 'SKIPPED', reason = ${reason}
      where enricher = ${enricher} and observable = ${observable} and looked_up_at is null`.execute(db)
    return
  }
  await sql`
    insert into enrichments as f (enricher, observable, vis, state, reason, findings, warnings, looked_up_at, expires_at, raw, raw_size, run, requested_by)
    values (
      ${enricher}::integer, ${observable}::integer, ${vis}::integer, ${result.state}, ${reason}, ${storableJson(findings)}::jsonb,
      ${warnings.map((warning) => storableText(warning, 1000))}::text[], now(),
      case when ${isAnswer} then now() + make_interval(secs => ${cache_validity}) end, ${raw?.sha256 ?? null}, ${raw?.size ?? null}::bigint,
      ${ended.run}::uuid, ${ended.user}::integer)
    on conflict (enricher, observable) do update
    set vis = case when ${isAnswer} then excluded.vis else greatest(f.vis, excluded.vis) end,
      state = excluded.state, reason = excluded.reason, looked_up_at = excluded.looked_up_at, expires_at = excluded.expires_at,
      findings = case when ${isAnswer} then excluded.findings else f.findings end,
      warnings = case when ${isAnswer} then excluded.warnings else f.warnings end,
      raw = case when ${isAnswer} then excluded.raw else f.raw end,
      raw_size = case when ${isAnswer} then excluded.raw_size else f.raw_size end,
      run = coalesce(excluded.run, f.run), requested_by = coalesce(excluded.requested_by, f.requested_by)`.execute(db)
}

const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? storableText(inner, inner.length) : inner))
