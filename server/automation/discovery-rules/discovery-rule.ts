import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, type Job, TaskError } from '../../background/task.ts'
import type { Context } from '../../engine/context.ts'
import { asOwner } from '../../identity/access/as-caller.ts'
import { problemOf } from '../owned-queries/problem-of.ts'
import { addedLinks } from '../written-links.ts'
import { type Criteria, criteriaOf } from './criteria.ts'
import { discover } from './discover.ts'
import { discoverEntities } from './discover-entities.ts'
import { recordProblems } from './problems.ts'

/** Compares all entities with a discovery rule. */
export const discoveryRule = defineTask({
  type: 'discovery-rule',
  doc: 'Compares all entities with a discovery rule, with the permissions of the user who last changed it.',
  parameters: z.object({ rule: z.int().describe('The id of the rule.') }),
  isUnique: true,
  run: async (job) => {
    const { rule } = job.parameters
    const [criteria] = await criteriaOf(job, [rule])
    if (!criteria) throw new TaskError(`There is no discovery rule ${rule}.`, { isFinal: true })
    const result = await rescan(job, criteria).catch((error) => fail(job, rule, error))
    await recordProblems(job.db, [rule], new Map())
    job.log(`Found ${result.found} new entities; ${result.lost} no longer match.`)
    return { result }
  },
})

/** Shows on the rule why it cannot be evaluated. */
async function fail(job: Job<unknown>, rule: number, error: unknown): Promise<never> {
  const problem = job.signal.aborted || error instanceof ChangedMeanwhile ? undefined : problemOf(error)
  if (problem === undefined) throw error
  await recordProblems(job.db, [rule], new Map([[rule, problem]]))
  throw new TaskError(problem, { isFinal: true, cause: error })
}

/**
 * Compares all entities, then again those that were written meanwhile: the follower may have compared them in the same moments. The lock of
 * the follower's position ensures that it compares nothing during the second step.
 */
async function rescan(job: Job<unknown>, rule: Criteria): Promise<{ found: number; lost: number }> {
  const step = <T>(run: (ctx: Context) => Promise<T>) =>
    asOwner(job, rule.owner, ['read entities'], 'read committed', async (ctx) => {
      await sql`set local statement_timeout = '10min'`.execute(ctx.db)
      return run(ctx)
    })
  const all = await step(async (ctx) => {
    const made = await discover(ctx, rule)
    await requireUnchanged(ctx, rule)
    return made
  })
  const again = await step(async (ctx) => {
    await sql`select from followers where name = ${discoverEntities.name} for no key update`.execute(ctx.db)
    await requireUnchanged(ctx, rule)
    const { rows } = await sql<{ id: string }>`
      with objects as materialized (
        select c.id as change, c.resource, i.id
        from changes as c cross join lateral unnest(c.ids) as i(id)
        where c.resource in ('entities', 'observables') and c.kind <> 'delete' and c.xact >= ${all.horizon}::bigint
      )
      select id::uuid from objects where resource = 'entities'
      union
      select l.entity from (${addedLinks(sql`
        select change, id::integer as observable from objects where resource = 'observables'`)}) as l`.execute(ctx.db)
    const ids = rows.map(({ id }) => id)
    return ids.length === 0 ? { found: 0, lost: 0 } : discover(ctx, rule, ids)
  })
  return { found: all.found + again.found, lost: all.lost + again.lost }
}

/** Not a problem of the rule. */
class ChangedMeanwhile extends TaskError {}

/** Entities that match former criteria must not be stored: the run that the change has started may already have passed them. */
async function requireUnchanged(ctx: Context, { id, matching }: Criteria): Promise<void> {
  const { rows } = await sql`
    select from discovery_rules where id = ${id} and matching is not distinct from ${matching} for share`.execute(
    ctx.db,
  )
  if (rows.length === 0)
    throw new ChangedMeanwhile('The rule was changed during the run. Another run compares all entities with it.', {
      isFinal: true,
    })
}
