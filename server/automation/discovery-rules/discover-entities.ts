import { sql } from 'kysely'
import type { Change } from '../../background/followers/change-log.ts'
import { defineFollower } from '../../background/followers/follower.ts'
import { causedBy } from '../../engine/cause.ts'
import type { Context } from '../../engine/context.ts'
import { addedLinks } from '../written-links.ts'
import { compareWritten, type Hit, type Written } from './compare-written.ts'
import { compileRules } from './compile-rules.ts'
import { lockActiveRules } from './criteria.ts'
import { notifyOfHits } from './notify-of-hits.ts'
import { recordProblems } from './problems.ts'
import { rescanChanged } from './rescans.ts'

/** The collections that determine what the owner of a rule may see. */
const OF_SIGHT = ['users', 'groups', 'roles'] as const

/**
 * Compares entities with the discovery rules soon after they were written, and notifies users of what is found. Starts a rescan of a rule when
 * its owner may see something else. It writes no entities, users, groups or roles, so that it never follows its own changes.
 */
export const discoverEntities = defineFollower({
  name: 'discovery-rules',
  collections: ['entities', 'observables', ...OF_SIGHT],
  batchSize: 5000,
  isIdle: async ({ db }) => {
    const { rows } = await sql`select from discovery_rules where is_active limit 1`.execute(db)
    return rows.length === 0
  },
  handle: async (ctx, changes) => {
    const causes = changes.map(({ cause }) => cause)
    const rules = await lockActiveRules(ctx)
    await rescanChanged({ ...ctx, cause: causedBy('follower', 'discovery-rules', causes) })
    if (rules.length === 0) return
    const written = await entitiesOf(ctx, changes)
    if (written.length === 0) return
    await notifyOfHits(ctx, await discoverWritten(ctx, rules, written))
  },
})

/** The entities that were written, and those to which observables were added. */
async function entitiesOf({ db }: Context, changes: readonly Change[]): Promise<readonly Written[]> {
  const of = (collection: Change['resource']) =>
    changes.flatMap(({ id, ids, resource, kind }) =>
      resource === collection && kind !== 'delete' ? ids.map((object) => ({ change: id, object })) : [],
    )
  const written = of('entities').map(({ change, object }) => ({ change, entity: object }))
  const observables = of('observables')
  if (observables.length === 0) return written
  const changed = sql`select * from unnest(
    ${observables.map(({ change }) => change)}::bigint[], ${observables.map(({ object }) => object)}::integer[]) as u(change, observable)`
  const { rows } = await sql<Written>`
    select min(l.change) as change, l.entity from (${addedLinks(changed)}) as l group by l.entity`.execute(db)
  return [...written, ...rows]
}

async function discoverWritten(
  ctx: Context,
  rules: Awaited<ReturnType<typeof lockActiveRules>>,
  written: readonly Written[],
): Promise<readonly Hit[]> {
  const compiled = await compileRules(ctx, rules)
  const compared = await compareWritten(ctx, compiled.compiled, written)
  const problems = new Map([...compiled.problems, ...compared.problems])
  await recordProblems(
    ctx.db,
    rules.map(({ id }) => id),
    problems,
  )
  return compared.hits
}
