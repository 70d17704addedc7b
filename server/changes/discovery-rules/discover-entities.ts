import { sql } from 'kysely'
import { defineFollower } from '../../background/followers/follower.ts'
import { isTimeout, refusal } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import { asUser } from '../../identity/access/as-user.ts'
import { type Criteria, criteriaOf, followingRules } from './criteria.ts'
import { discover } from './discover.ts'

/**
 * Compares entities with the discovery rules soon after they were written. What depends on more than the entity, such as a rule
 * that was changed or what its owner may see, is found by the scheduled runs of the rule, which look at all entities.
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
      // A rule without an owner who may read entities finds nothing; its scheduled run says so.
      if (!caller?.permissions.has('read entities')) continue
      for (const rule of own) await tryRule({ ...ctx, caller }, rule, [...new Set(written)])
    }
  },
})

/** A rule that cannot be evaluated must not keep others from finding anything; its scheduled run reports why. */
async function tryRule(ctx: Context, rule: Criteria, entities: readonly string[]): Promise<void> {
  await sql`savepoint rule`.execute(ctx.db)
  try {
    await discover(ctx, rule, entities)
  } catch (error) {
    const isOwnFault = isTimeout(error) || (refusal(error)?.status ?? 500) < 500
    if (!isOwnFault) throw error
    await sql`rollback to savepoint rule`.execute(ctx.db)
  }
}
