import { type Kysely, sql } from 'kysely'
import { stateOf } from '../enricher-state.ts'

/** The queue of an enricher. */
export interface LaneStatus {
  readonly enricher: number
  readonly name: string
  readonly state: string
  readonly waiting: number
  readonly running: number
  /** The age of the oldest request. */
  readonly oldest_seconds: number
}

/** Reads the queues of all enrichers that are active or have one. */
export async function readLaneStatus(db: Kysely<unknown>): Promise<LaneStatus[]> {
  const { rows } = await sql<LaneStatus>`
    select t.id as enricher, t.name, ${stateOf()} as state,
      count(q.number) filter (where q.claim is null or q.claimed_until < now())::integer as waiting,
      count(q.number) filter (where q.claimed_until >= now())::integer as running,
      coalesce(extract(epoch from now() - min(q.requested_at)), 0)::float8 as oldest_seconds
    from enrichers as t left join enrichment_requests as q on q.enricher = t.id
    where t.is_active or q.number is not null
    group by t.id
    order by t.id`.execute(db)
  return rows
}
