import { sql } from 'kysely'
import { stopOwnRuns } from '../../../background/owned-tasks.ts'
import { startRuns } from '../../../background/runs.ts'
import type { Context } from '../../../engine/context.ts'
import { makeId } from '../../../engine/ids.ts'
import type { Id } from '../../../engine/reference.ts'
import { startSystemRuns } from '../../../intelligence/by-query/start-run.ts'
import { DISSOLUTION, POLICIES } from './policy-task.ts'

/** Whether there is anything to consolidate, or to take apart, for the policy `t`. */
const HAS_WORK = sql`(
  exists (select from consolidation_configurations as c where c.policy_id = t.id)
  or exists (select from match_subjects as s where s.policy = t.id)
  or exists (select from unified_entities as u where u.policy = t.id))`

/**
 * Starts a run of each of these policies that is active. A run in progress is revoked, because it has begun with the former
 * configuration.
 */
export async function startPolicyRuns(ctx: Context, ids: readonly Id[]): Promise<void> {
  const { rows } = await sql<{ id: number; task: number }>`
    select t.id, t.task from consolidation_rules as t
    where t.id = any(${ids}::integer[]) and t.is_active and t.task is not null and ${HAS_WORK}
    order by t.id`.execute(ctx.db)
  if (rows.length === 0) return
  const type = ctx.taskTypes.get(POLICIES.type)
  if (!type) throw new TypeError(`There are no tasks of the type '${POLICIES.type}'.`)
  await stopOwnRuns(
    ctx,
    POLICIES,
    rows.map(({ id }) => id),
  )
  const runs = rows.map(({ id, task }) => ({ id: makeId(), task, type, parameters: { [POLICIES.parameter]: id } }))
  await startRuns(ctx.db, ctx.caller.id || null, runs, ctx.cause)
}

/** The policies among these with unified entities or entities to match, which other policies may cover once they are deleted. */
export async function policiesWithWork(ctx: Context, ids: readonly Id[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from consolidation_rules as t where t.id = any(${ids}::integer[]) and ${HAS_WORK} order by t.id`.execute(
    ctx.db,
  )
  return rows.map(({ id }) => id)
}

/** Starts a run that takes apart what these policies, which are deleted, consolidated. */
export async function startDissolution(ctx: Context, policies: readonly number[]): Promise<void> {
  if (policies.length > 0) await startSystemRuns(ctx, DISSOLUTION.title, DISSOLUTION.type, [{ policies }])
}
