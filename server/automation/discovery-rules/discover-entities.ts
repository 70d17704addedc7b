import { sql } from 'kysely'
import { defineFollower } from '../../background/followers/follower.ts'
import type { Context } from '../../engine/context.ts'
import { isTimeout, refusal } from '../../engine/errors.ts'
import { asUser } from '../../identity/access/as-user.ts'
import { type Criteria, criteriaOf, followingRules } from './criteria.ts'
import { discover } from './discover.ts'

/**
 * Compares entities with the discovery rules soon after they were written. Scheduled runs of a rule compare all entities, and so cover
 * changes of the rule itself and of what its owner may see.
 */
export const discoverEntities = defineFollower({
  name: 'discovery-rules',
  collections: ['entities'],
  batchSize: 5000,
  isIdle: async ({ db }) => (await followingRules(db)).length === 0,
  handle: async (ctx, changes) => {
    const written = changes.filter(({ kind }) => kind !== 'delete').flatMap(({ ids }) => ids)
    if (written.length === 0) return
    const rules = await criteriaOf(ctx, await followingRules(ctx.db))
    for (const [owner, own] of Map.groupBy(rules, (rule) => rule.owner)) {
      const caller = owner === null ? undefined : await asUser(ctx, owner)
      // A rule whose owner may not read entities finds nothing; its scheduled run reports that.
      if (!caller?.permissions.has('read entities')) continue
      for (const rule of own) await tryRule({ ...ctx, caller }, rule, [...new Set(written)])
    }
  },
})

/**
 * Compares entities with one rule. A rule that cannot be evaluated, or takes too long, must not affect others, so each has its own
 * statement behind a savepoint: a single statement for all rules would fail as a whole and share one time limit. The number of
 * statements depends on the number of rules only. The scheduled run of the rule reports the error.
 */
async function tryRule(ctx: Context, rule: Criteria, entities: readonly string[]): Promise<void> {
  await sql`savepoint rule`.execute(ctx.db)
  try {
    await discover(ctx, rule, entities)
  } catch (error) {
    const isErrorOfRule = isTimeout(error) || (refusal(error)?.status ?? 500) < 500
    if (!isErrorOfRule) throw error
    await sql`rollback to savepoint rule`.execute(ctx.db)
  }
  // Otherwise the savepoints of many rules would nest.
  await sql`release savepoint rule`.execute(ctx.db)
}
