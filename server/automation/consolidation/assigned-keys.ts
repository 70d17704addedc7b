import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import { isOfKind } from './key-kind.ts'
import { assignedKey } from './matching/keys.ts'

/** What the keys begin with that entities share because a person joined them. */
const PREFIX = assignedKey('')

/** The id of the group in the column `key`. */
const groupIn = sql`substr(k.key, ${sql.lit(PREFIX.length + 1)})::uuid`

/**
 * Takes entities out of what persons joined: those that do not exist any more, or all of these. A group of which one entity remains joins
 * nothing and is deleted. Returns the entities whose keys changed.
 */
export async function leaveAssigned(
  { db }: Pick<Context, 'db'>,
  entities: readonly string[],
  which: 'gone' | 'all',
): Promise<readonly string[]> {
  const { rows } = await sql<{ entity: string }>`
    with leaving as materialized (
      select k.key, k.entity from match_keys as k
      where k.entity = any(${uuidList(entities)}::uuid[]) and ${isOfKind(sql`k.key`, 'assigned')}
        ${which === 'gone' ? sql`and not exists (select from entities as e where e.id = k.entity)` : sql``}
    ), remaining as materialized (
      select k.key, k.entity, count(*) over (partition by k.key) as count
      from match_keys as k
      where k.key in (select key from leaving) and (k.key, k.entity) not in (select key, entity from leaving)
    ), over as materialized (
      select key, entity from leaving
      union all
      select key, entity from remaining where count = 1
    ), dissolved as (
      delete from assigned_groups
      where id in (
        select ${groupIn} from leaving as k
        where k.key not in (select key from remaining where count > 1))
    )
    delete from match_keys as k using over as o
    where k.key = o.key and k.entity = o.entity
    returning k.entity`.execute(db)
  return rows.map(({ entity }) => entity)
}
