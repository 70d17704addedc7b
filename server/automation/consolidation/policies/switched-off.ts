import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../../../engine/action.ts'
import type { Context } from '../../../engine/context.ts'
import type { Route } from '../../../engine/route.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { describeKey, MAX_KEY_MEMBERS } from '../matching/keys.ts'
import { readPolicy } from './dissolution.ts'

const MAX_LISTED = 1000

const key = z.object({
  kind: z.string(),
  value: z.string(),
  members: z.int().describe('How many of the entities that share it you see.'),
  since: z.iso.datetime({ offset: true }),
})

/** A key that is switched off, and how many of its members the caller sees. */
export interface SeenKey {
  readonly key: string
  readonly members: number
  readonly since: string
}

/**
 * The keys `x` that are switched off and meet a condition, with the most members first. Only those whose members the caller sees would be
 * off without the others: otherwise a key would tell that there are entities that the caller does not see.
 */
export async function seenSwitchedOff(
  ctx: Context,
  isWanted: RawBuilder<SqlBool>,
  limit: number,
): Promise<readonly SeenKey[]> {
  const { rows } = await sql<SeenKey>`
    select x.key, c.members, x.since
    from switched_off_keys as x
    cross join lateral (
      select count(*)::integer as members
      from match_keys as k join entities as e on e.id = k.entity
      where k.key = x.key and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')}) as c
    where ${isWanted} and c.members > ${sql.lit(MAX_KEY_MEMBERS)}
    order by c.members desc, x.key
    limit ${limit}`.execute(ctx.db)
  return rows
}

const route = defineAction({
  name: 'list_switched_off_keys_consolidation_rules',
  doc: 'List the keys of a policy that join nothing, because too many entities share them: the first 1,000 with the most members that you see',
  tag: 'consolidation_rules',
  method: 'GET',
  path: '/consolidation-rules/:id/switched-off-keys',
  permission: 'read rules',
  result: z.array(key),
  refusals: [404],
  run: async (ctx, _, { params }) => {
    const policy = await readPolicy(ctx, params.id)
    const isOfPolicy = sql<SqlBool>`exists (
      select from match_keys as k
      join match_subjects as s on s.entity = k.entity
      join entities as e on e.id = k.entity
      where k.key = x.key and s.policy = ${policy} and ${visible(ctx, resourceOf(ctx, 'entities'), 'e')})`
    const keys = await seenSwitchedOff(ctx, isOfPolicy, MAX_LISTED)
    return keys.map(({ key, members, since }) => ({ ...describeKey(key), members, since }))
  },
})

/** The keys of a policy that are switched off, as far as the caller sees their members. */
export const listSwitchedOffKeys: Route = { ...route, guards: () => ['read entities'] }
