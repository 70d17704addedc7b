import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { conflict } from '../../engine/errors.ts'
import { makeId } from '../../engine/ids.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import { holdsKey, sightOf } from '../../identity/access/sight.ts'
import { leaveAssigned } from './assigned-keys.ts'
import { isOfKind } from './key-kind.ts'
import { lockConsolidation } from './lock.ts'
import { assignedKey } from './matching/keys.ts'
import { ENDINGS } from './record-events.ts'
import { type Regrouped, regroup } from './regroup.ts'

/**
 * Makes entities of one type contributors to one unified entity, whatever their keys and sources say, and until a person takes them apart.
 * What was said against it, exemptions and that two of them are not the same, is forgotten. Where no policy applies, the unified entity is
 * of the caller's first group.
 */
export async function assignTogether(ctx: Context, entities: readonly string[]): Promise<Regrouped> {
  await lockConsolidation(ctx.db)
  const { home } = sightOf(ctx)
  if (home === null) throw conflict('You are in no group whose source a unified entity could have.')
  const group = makeId()
  const ids = uuidList(entities)
  // Entities that already share a key of persons need no other one.
  await sql`
    with present as materialized (
      select e.id from entities as e where e.id = any(${ids}::uuid[])
    ), needed as materialized (
      select true where (select count(*) from present) > 1 and not exists (
        select from match_keys as k
        where k.entity in (select id from present) and ${isOfKind(sql`k.key`, 'assigned')}
        group by k.key
        having count(*) = (select count(*) from present))
    ), made as (
      insert into assigned_groups (id, source, created_by)
      select ${group}::uuid, s.number, nullif(${ctx.caller.id}::integer, 0)
      from sources as s where s.id = ${home}::uuid and exists (select from needed)
    ), joined as (
      insert into match_keys (key, entity)
      select ${assignedKey(group)}, p.id from present as p where exists (select from needed)
    ), included as (
      delete from consolidation_exemptions as x where x.entity in (select id from present)
    )
    delete from consolidation_suggestions as s
    where s.state = 'refused' and s.first in (select id from present) and s.second in (select id from present)`.execute(
    ctx.db,
  )
  return regroup(ctx, entities)
}

/**
 * Takes entities out of the unified entities that the caller sees, and keeps policies from joining them again. For callers who do not see
 * the unified entity, an entity contributes to nothing: nothing is changed, and nothing tells that it does.
 */
export async function separate(ctx: Context, entities: readonly string[]): Promise<Regrouped> {
  await lockConsolidation(ctx.db)
  const { rows } = await sql<{ entity: string }>`
    with seen as materialized (
      select m.entity from contributors as m join entities as u on u.id = m.unified
      where m.entity = any(${uuidList(entities)}::uuid[]) and ${holdsKey(ctx, sql`u.vis`)}
    ), made as (
      insert into consolidation_exemptions (entity, created_by)
      select entity, nullif(${ctx.caller.id}::integer, 0) from seen
      on conflict do nothing
    )
    select entity from seen`.execute(ctx.db)
  const contributors = rows.map(({ entity }) => entity)
  if (contributors.length === 0) return regroup(ctx, [])
  const alone = await leaveAssigned(ctx, contributors, 'all')
  return regroup(ctx, [...new Set([...contributors, ...alone])], ENDINGS.separated)
}
