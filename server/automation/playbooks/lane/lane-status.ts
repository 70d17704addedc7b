import { type Kysely, sql } from 'kysely'
import { type LaneStatus, measuresOf } from '../../lane-status.ts'
import { PLAYBOOK_STATE } from '../playbook-state.ts'

interface PlaybookQueue extends LaneStatus {
  readonly playbook: number
}

/** Reads the runs that have not ended of all playbooks that are active or have some. Runs that wait for an answer are not due. */
export async function readPlaybookLanes(db: Kysely<unknown>): Promise<PlaybookQueue[]> {
  const { rows } = await sql<PlaybookQueue>`
    select t.id as playbook, t.name, ${sql.raw(PLAYBOOK_STATE)} as state, ${measuresOf('q', 'created_at')}
    from playbooks as t left join playbook_runs as q on q.playbook = t.id and q.ended_at is null
    where t.is_active or q.id is not null
    group by t.id
    order by t.id`.execute(db)
  return rows
}
