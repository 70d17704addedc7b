import { type Kysely, sql } from 'kysely'
import { type LaneStatus, measuresOf } from '../../lane-status.ts'
import { stateOf } from '../enricher-state.ts'

interface EnricherQueue extends LaneStatus {
  readonly enricher: number
}

/** Reads the queues of all enrichers that are active or have one. */
export async function readLaneStatus(db: Kysely<unknown>): Promise<EnricherQueue[]> {
  const { rows } = await sql<EnricherQueue>`
    select t.id as enricher, t.name, ${stateOf()} as state, ${measuresOf('q', 'requested_at')}
    from enrichers as t left join enrichment_requests as q on q.enricher = t.id
    where t.is_active or q.number is not null
    group by t.id
    order by t.id`.execute(db)
  return rows
}
