import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, TaskError } from '../../background/task.ts'
import { asOwner } from '../../identity/access/as-caller.ts'
import { criteriaOf } from './criteria.ts'
import { discover } from './discover.ts'

/** Looks for what a discovery rule describes, among all entities. */
export const discoveryRule = defineTask({
  type: 'discovery-rule',
  doc: 'Notes which entities a discovery rule finds, for who last changed it.',
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
    job.log(
      `Found ${result.found} entities that it had not found before; ${result.lost} are no longer what it looks for.`,
    )
    return { result }
  },
})
