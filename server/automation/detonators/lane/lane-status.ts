import { sql } from 'kysely'
import type { Server } from '../../../server.ts'
import { type LaneStatus, measuresOf } from '../../lane-status.ts'
import { IS_UNDER_WAY } from '../detonations/ask.ts'
import { stateOf } from '../detonator-state.ts'

interface DetonatorQueue extends LaneStatus {
  readonly detonator: number
}

/** Reads the queues of all detonators that are active or have one. What the vendor runs is not due. */
export async function readDetonatorLanes(server: Pick<Server, 'db' | 'sandboxes'>): Promise<DetonatorQueue[]> {
  const { rows } = await sql<DetonatorQueue>`
    select t.id as detonator, t.name, ${stateOf(server)} as state, ${measuresOf('q', 'created_at')}
    from detonators as t left join detonations as q on q.detonator = t.id and q.${IS_UNDER_WAY}
    where t.is_active or q.id is not null
    group by t.id
    order by t.id`.execute(server.db)
  return rows
}
