import { sql } from 'kysely'
import { z } from 'zod'
import { defineTask, TaskError } from '../../background/task.ts'
import { asOwner } from '../../identity/access/as-caller.ts'
import { criteriaOf } from './criteria.ts'
import { matches } from './matches.ts'

/** Looks for what a discovery rule describes. */
export const discoveryRule = defineTask({
  type: 'discovery-rule',
  doc: 'Notes which entities a discovery rule finds, for who last changed it.',
  parameters: z.object({ rule: z.int().describe('The id of the rule.') }),
  isUnique: true,
  run: async (job) => {
    const { rule } = job.parameters
    const [criteria] = await criteriaOf(job, [rule])
    if (!criteria) throw new TaskError(`There is no discovery rule ${rule}.`, { isFinal: true })
    const counts = await asOwner(job, criteria.owner, ['read entities'], 'read committed', async (ctx) => {
      await sql`set local statement_timeout = '10min'`.execute(ctx.db)
      const isFound = await matches(ctx, criteria)
      // What is no longer what the rule looks for is taken out, and what it found before keeps its time.
      const { rows } = await sql<{ found: number; lost: number }>`
        with matching as materialized (
          select t.id from entities as t where ${isFound}
        ), lost as (
          delete from discovered_entities as d
          where d.source = ${rule} and not exists (select from matching where matching.id = d.target)
          returning d.target
        ), made as (
          insert into discovered_entities (source, target)
          select ${rule}::integer, matching.id from matching
          on conflict do nothing
          returning target
        )
        select (select count(*) from made) as found, (select count(*) from lost) as lost`.execute(ctx.db)
      return rows[0] ?? { found: 0, lost: 0 }
    })
    job.log(
      `Found ${counts.found} entities that it had not found before; ${counts.lost} are no longer what it looks for.`,
    )
    return { result: { found: Number(counts.found), lost: Number(counts.lost) } }
  },
})
