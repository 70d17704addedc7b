import { sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../../engine/action.ts'
import type { Context } from '../../../engine/context.ts'
import { requireVisible } from '../../../engine/fetch.ts'
import { readId } from '../../../engine/query.ts'
import type { Id } from '../../../engine/reference.ts'
import type { Route } from '../../../engine/route.ts'
import { resourceOf } from '../../../engine/select.ts'
import { CONTRIBUTORS, fromSeen } from './seen-counts.ts'

const result = z.object({
  unified: z.int().describe('How many of its unified entities you see, which would be removed.'),
  contributors: z.int().describe('How many entities contribute to them. They stay as they are.'),
  by_type: z.array(z.object({ type: z.string(), count: z.int() })).describe('The unified entities by type.'),
})

/** The policy with the id of a path. A 404 if there is none. */
export async function readPolicy(ctx: Context, given = ''): Promise<Id> {
  const resource = resourceOf(ctx, 'consolidation_rules')
  const id = readId(resource, given)
  await requireVisible(ctx, resource, id)
  return id
}

const route = defineAction({
  name: 'preview_dissolution_consolidation_rules',
  doc: 'Count the unified entities that deleting a policy would remove',
  tag: 'consolidation_rules',
  method: 'GET',
  path: '/consolidation-rules/:id/dissolution',
  permission: 'read rules',
  result,
  refusals: [404],
  run: async (ctx, _, { params }) => {
    const policy = await readPolicy(ctx, params.id)
    const { rows } = await sql<{ type: string; count: number; contributors: number }>`
      select u.type, count(distinct u.id)::integer as count, count(*)::integer as contributors
      ${fromSeen(ctx, CONTRIBUTORS)} and q.policy = ${policy}
      group by 1
      order by 2 desc, 1`.execute(ctx.db)
    const sum = (of: 'count' | 'contributors') => rows.reduce((total, row) => total + row[of], 0)
    return {
      unified: sum('count'),
      contributors: sum('contributors'),
      by_type: rows.map(({ type, count }) => ({ type, count })),
    }
  },
})

/** What deleting a policy would take apart, as far as the caller sees it. */
export const previewDissolution: Route = { ...route, guards: () => ['read entities'] }
