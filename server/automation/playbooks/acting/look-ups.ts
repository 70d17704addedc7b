import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../engine/context.ts'
import { integerList } from '../../../fast/binary-arrays.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { IS_STUCK } from '../../enrichers/lanes/finish-runs.ts'

/** One enricher asked about one observable. */
export interface Pair {
  readonly enricher: number
  readonly observable: number
}

/** What is stored of a look-up, as far as the caller sees it. */
export interface Known extends Pair {
  readonly state: 'PENDING' | 'FOUND' | 'EMPTY' | 'FAILED' | 'SKIPPED'
  readonly reason: string | null
  /** The verdicts among the findings. */
  readonly verdicts: readonly string[]
}

/** How many of the look-ups that the caller asked for go on, and the enrichers that cannot go on. */
export interface Progress {
  readonly open: number
  readonly stuck: readonly string[]
}

const rowsOf = (pairs: readonly Pair[]): RawBuilder<unknown> => sql`unnest(
  ${integerList(pairs.map(({ enricher }) => enricher))}::integer[],
  ${integerList(pairs.map(({ observable }) => observable))}::integer[]) as i(enricher, observable)`

/** How far the look-ups are. Those at an enricher that cannot go on are not waited for. */
export async function progressOf({ db, caller }: Context, pairs: readonly Pair[]): Promise<Progress> {
  const { rows } = await sql<{ name: string; is_stuck: boolean; count: number }>`
    select e.name, ${IS_STUCK} as is_stuck, count(*)::integer as count
    from ${rowsOf(pairs)}
    join enrichment_requests as q on q.enricher = i.enricher and q.observable = i.observable
    join enrichers as e on e.id = i.enricher
    where exists (
      select from enrichment_requesters as r
      where r.enricher = i.enricher and r.observable = i.observable and r."user" = ${caller.id})
    group by e.id
    order by e.name`.execute(db)
  return {
    open: rows.filter(({ is_stuck }) => !is_stuck).reduce((sum, { count }) => sum + count, 0),
    stuck: rows.filter(({ is_stuck }) => is_stuck).map(({ name }) => name),
  }
}

/** The stored results of look-ups, as far as the caller sees them. */
export async function readLookUps(ctx: Context, pairs: readonly Pair[]): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select i.enricher, i.observable, f.state, f.reason, array(
      select v.finding ->> 'maliciousness'
      from jsonb_array_elements(f.findings) as v(finding)
      where f.state = 'FOUND' and v.finding ->> 'kind' = 'verdict'
    ) as verdicts
    from ${rowsOf(pairs)}
    join enrichments as f on f.enricher = i.enricher and f.observable = i.observable
    where ${holdsKey(ctx, sql`f.vis`)}
    order by 1, 2`.execute(ctx.db)
  return rows
}
