import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, TaskError } from '../../background/task.ts'
import { asOwner } from '../../identity/access/as-caller.ts'
import { criteriaOf } from './criteria.ts'
import { discover } from './discover.ts'

/** Compares all entities with a discovery rule. */
export const discoveryRule = defineTask({
  type: 'discovery-rule',
  doc: 'Updates the entities that a discovery rule finds, with the permissions of the user who last changed it.',
  parameters: z.object({ rule: z.int().describe('The id of the rule.') }),
  isUnique: true,
  run: async (job) => {
    const { rule } = job.parameters
    const [criteria] = await criteriaOf(job, [rule])
    if (!criteria) throw new TaskError(`There is no discovery rule ${rule}.`, { isFinal: true })
    const result = await asOwner(job, criteria.owner, ['read entities'], 'read committed', async (ctx) => {
      await sql`set local statement_timeout = '10min'`.execute(ctx.db)
      return discover(ctx, criteria)
    })
    job.log(`Found ${result.found} new entities; ${result.lost} no longer match.`)
    return { result }
  },
})
