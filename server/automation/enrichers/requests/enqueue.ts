import { sql } from 'kysely'
import { tlpRank } from '../../../domain/tlp.ts'
import type { Context } from '../../../engine/context.ts'
import { integerList, textList } from '../../../fast/binary-arrays.ts'
import { keyOf } from '../../../identity/access/visibility.ts'
import { readExclusions } from '../../../intelligence/exclusion-lists.ts'
import { rankOfColour, readCandidates } from './candidates.ts'
import { type Candidate, classify, type Rules } from './classify.ts'

export { isFresh } from './candidates.ts'

/** What is asked of enrichers. The caller of the context is the requester, whose sight decides what may be looked up. */
export interface Asked {
  readonly enrichers: readonly Rules[]
  readonly observables: readonly number[]
  /** The run that waits for the results. */
  readonly run?: string | undefined
  /** Whether valid results are looked up again. */
  readonly isForced?: boolean
  /** Whether an enricher is asked about an observable, if not all are asked about all. */
  readonly isAsked?: (enricher: number, observable: number) => boolean
}

/** How many look-ups were added to the queue, are not needed, or are refused. */
export interface Enqueued {
  readonly look_ups: number
  readonly cached: number
  readonly skipped: number
  /** The look-ups that the requester was not waiting for yet. */
  readonly added: readonly LookUp[]
}

export interface LookUp {
  readonly enricher: number
  readonly observable: number
}

interface Item {
  readonly enricher: number
  readonly candidate: Candidate
  readonly state: 'PENDING' | 'CACHED' | 'SKIPPED'
  readonly reason: string | null
}

/**
 * Adds look-ups to the queue, in the transaction `ctx.db`. An observable that is queued already is looked up once for all who ask.
 * Observables that the caller does not see, or of which an enricher does not support the type, are left out.
 */
export async function enqueue(ctx: Context, asked: Asked): Promise<Enqueued> {
  const { enrichers, observables, run, isForced, isAsked = () => true } = asked
  const ids = enrichers.map(({ id }) => id)
  const candidates = await readCandidates(ctx, observables, ids)
  const exclusion = await readExclusions(ctx.db)
  const items = enrichers.flatMap((enricher) =>
    candidates.flatMap((candidate): Item[] => {
      if (!isAsked(enricher.id, candidate.id)) return []
      const verdict = classify(candidate, enricher, exclusion, isForced)
      if (!verdict) return []
      const state = verdict.kind === 'look-up' ? 'PENDING' : verdict.kind === 'cached' ? 'CACHED' : 'SKIPPED'
      return [{ enricher: enricher.id, candidate, state, reason: verdict.kind === 'skipped' ? verdict.reason : null }]
    }),
  )
  const of = (state: Item['state']) => items.filter((item) => item.state === state)
  const added = items.length > 0 ? await store(ctx, items, run ?? null) : []
  return { look_ups: of('PENDING').length, cached: of('CACHED').length, skipped: of('SKIPPED').length, added }
}

async function store(ctx: Context, items: readonly Item[], run: string | null): Promise<readonly LookUp[]> {
  await sql`
    with asked as materialized (
      select i.*, ${keyOf(sql`s.number`, sql`greatest(i.rank, ${rankOfColour(sql`e.tlp_color`)})`)} as vis
      from unnest(
        ${integerList(items.map(({ enricher }) => enricher))}::integer[],
        ${integerList(items.map(({ candidate }) => candidate.id))}::integer[],
        ${integerList(items.map(({ candidate }) => candidate.rank))}::integer[],
        ${textList(items.map(({ state }) => state))}::text[],
        ${textList(items.map(({ reason }) => reason))}::text[]) as i(enricher, observable, rank, state, reason)
      join enrichers as e on e.id = i.enricher
      join sources as s on s.id = e.source
    ), queued as (
      insert into enrichment_requests (enricher, observable)
      select enricher, observable from asked where state = 'PENDING' order by enricher, observable
      on conflict (enricher, observable) do update set due_at = least(enrichment_requests.due_at, now())
    ), noted as (
      insert into enrichments (enricher, observable, vis, state, reason, requested_by, run)
      select enricher, observable, vis, state, reason, nullif(${ctx.caller.id}::integer, 0), ${run}::uuid
      from asked where state in ('PENDING', 'SKIPPED')
      order by enricher, observable
      on conflict (enricher, observable) do update
      set vis = excluded.vis, state = excluded.state, reason = excluded.reason, requested_by = excluded.requested_by, run = excluded.run
      -- A result of before stays until there is another.
      where enrichments.looked_up_at is null and (enrichments.state = 'SKIPPED' or excluded.vis < enrichments.vis)
    )
    insert into enrichment_outcomes (run, enricher, observable, state, reason)
    select ${run}::uuid, enricher, observable, state, reason from asked where ${run !== null}
    order by enricher, observable
    on conflict do nothing`.execute(ctx.db)
  // In a second statement, because a foreign key does not see rows of the same one.
  const pending = items.filter(({ state }) => state === 'PENDING')
  const { rows } = await sql<LookUp>`
    insert into enrichment_requesters (enricher, observable, "user", run, depth)
    select i.enricher, i.observable, ${ctx.caller.id}, ${run}::uuid, ${ctx.cause?.depth ?? 0}
    from unnest(
      ${integerList(pending.map(({ enricher }) => enricher))}::integer[],
      ${integerList(pending.map(({ candidate }) => candidate.id))}::integer[]) as i(enricher, observable)
    order by 1, 2
    on conflict do nothing
    returning enricher, observable`.execute(ctx.db)
  return rows
}

/** The rank of the colour of an enricher, or that of its observable if that is higher. */
export const rankFor = (observableRank: number, colour: Parameters<typeof tlpRank>[0] | null): number =>
  Math.max(observableRank, colour === null ? 0 : tlpRank(colour))
