import { type RawBuilder, sql } from 'kysely'
import { stopOwnRuns, type TaskOwner } from '../../background/owned-tasks.ts'
import { startRuns } from '../../background/runs.ts'
import type { Context } from '../../engine/context.ts'
import { makeId } from '../../engine/ids.ts'
import type { Id } from '../../engine/reference.ts'
import { keysOfUser } from '../../identity/access/sight.ts'

/** Each rule has a task that compares all entities with it. */
export const RULES: TaskOwner = {
  table: 'discovery_rules',
  column: 'task',
  type: 'discovery-rule',
  title: 'Discovery rule',
  parameter: 'rule',
}

interface Changed {
  readonly id: number
  readonly task: number
  readonly is_active: boolean
}

/**
 * Starts a rescan of those of the rules that match something else than at their last rescan, or whose owner may see something else. A rescan in
 * progress is revoked, because it has begun with the former criteria. Without ids, checks all active rules.
 */
export async function rescanChanged(ctx: Context, ids?: readonly Id[]): Promise<void> {
  const isChecked = ids ? sql`t.id = any(${ids}::integer[])` : sql`t.is_active`
  const { rows } = await sql<Changed>`
    with checked as materialized (
      select t.id, t.owner, ${MATCHING} as matching from discovery_rules as t where ${isChecked}
    ), owners as materialized (
      select u.id, ${SIGHT} as sight from users as u where u.id in (select owner from checked)
    )
    update discovery_rules as t
    set matching = c.matching, sight = o.sight, problem = null,
      matching_since = case when t.matching is distinct from c.matching then now() else t.matching_since end
    from checked as c left join owners as o on o.id = c.owner
    where t.id = c.id and (t.matching, t.sight) is distinct from (c.matching, o.sight)
    returning t.id, t.task, t.is_active`.execute(ctx.db)
  if (rows.length === 0) return
  await stopOwnRuns(
    ctx,
    RULES,
    rows.map(({ id }) => id),
  )
  const type = ctx.taskTypes.get(RULES.type)
  if (!type) throw new TypeError('There is no task for discovery rules.')
  const runs = rows
    .filter(({ is_active }) => is_active)
    .map(({ id, task }) => ({ id: makeId(), task, type, parameters: { [RULES.parameter]: id } }))
  await startRuns(ctx.db, ctx.caller.id || null, runs, ctx.cause)
}

const digest = (value: RawBuilder<unknown>): RawBuilder<string> => sql`md5(${value}::text)`

/** What the rule `t` matches. */
const MATCHING =
  digest(sql`jsonb_build_array(t.is_active, t.keywords, t.match_keywords_in, t.entity_types, t.search_query, t.owner,
  array(select l.target from discovery_rule_sources as l where l.source = t.id order by l.target))`)

/** What the user `u` may see. */
const SIGHT = digest(sql`jsonb_build_array(u.is_active, ${keysOfUser(sql`u.id`)}, exists (
  select from user_permissions as l join permissions as p on p.id = l.target
  where l.source = u.id and p.name = 'read entities'))`)
