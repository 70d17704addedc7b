import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { textList, uuidList } from '../../fast/binary-arrays.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import type { Group } from './decide.ts'
import { describeKey, isAssigned } from './matching/keys.ts'
import type { MembershipChanges } from './memberships.ts'

/** Why memberships end. */
export const ENDINGS = {
  deleted: 'The entity was deleted.',
  withdrawn: 'The entity takes no part in consolidation any more.',
  separated: 'A user separated it.',
  absorbed: 'Its unified entity became part of an older one.',
  apart: 'Nothing joins it with the others any more.',
} as const

/** An ended membership, and the older unified entity that took in the one it belonged to. */
export interface Ending {
  readonly entity: string
  readonly unified: string
  readonly reason: string
  readonly heir: string | null
}

/**
 * Records what came to contribute to these groups, and why, and what has ended. What holds has the key of its unified entity as it is now, so
 * that those who see the unified entity see it. Where one became part of an older one, a reader must hold the keys of both.
 */
export async function recordEvents(
  ctx: Pick<Context, 'db' | 'caller'>,
  groups: readonly Group[],
  { begun }: MembershipChanges,
  endings: readonly Ending[],
): Promise<void> {
  const user = ctx.caller.id || null
  if (endings.length > 0) {
    await sql`
      update consolidation_events as e
      set undone_at = now(), undone_by = ${user}::integer, undone_reason = i.reason,
        vis = coalesce((
          select composite_of(h.source, ${rankOf(sql`u.vis`)}, h.keys || o.keys)
          from entities as u join composites as h on h.number = ${sourceOf(sql`u.vis`)} join composites as o on o.number = ${sourceOf(sql`e.vis`)}
          where u.id = i.heir), e.vis)
      from unnest(${uuidList(endings.map(({ entity }) => entity))}::uuid[],
        ${uuidList(endings.map(({ unified }) => unified))}::uuid[],
        ${textList(endings.map(({ reason }) => reason))}::text[],
        ${endings.map(({ heir }) => heir)}::uuid[]) as i(entity, unified, reason, heir)
      where e.entity = i.entity and e.unified = i.unified and e.undone_at is null`.execute(ctx.db)
  }
  if (groups.length > 0) {
    await sql`
      update consolidation_events as e set vis = u.vis
      from entities as u
      where u.id = any(${uuidList(groups.map(({ unified }) => unified))}::uuid[]) and e.unified = u.id and e.undone_at is null and e.vis <> u.vis`.execute(
      ctx.db,
    )
  }
  if (begun.length === 0) return
  const group = new Map(groups.map((each) => [each.unified, each]))
  const events = begun.map(({ entity, unified }) => {
    const key = group.get(unified)?.joins.get(entity)
    const isByPerson = key !== undefined && isAssigned(key)
    return {
      entity,
      unified,
      method: isByPerson ? 'user-assigned' : 'rule-based',
      reason: key === undefined || isByPerson ? null : describeKey(key),
      policy: isByPerson ? null : (group.get(unified)?.policy ?? null),
    }
  })
  await sql`
    insert into consolidation_events (entity, unified, vis, method, reason, policy, created_by)
    select i.entity, i.unified, (select u.vis from entities as u where u.id = i.unified), i.method, i.reason, i.policy, ${user}::integer
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as i(entity uuid, unified uuid, method text, reason jsonb, policy integer)`.execute(ctx.db)
}
