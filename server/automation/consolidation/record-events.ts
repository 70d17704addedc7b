import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { textList, uuidList } from '../../fast/binary-arrays.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import type { Group } from './decide.ts'
import { describeKey, isAssigned } from './matching/keys.ts'
import type { Membership } from './memberships.ts'

/** Why memberships end. */
export const ENDINGS = {
  deleted: 'The entity was deleted.',
  withdrawn: 'The entity takes no part in consolidation any more.',
  separated: 'A user separated it.',
  absorbed: 'Its unified entity became part of an older one.',
  abolished: 'Its policy was deleted.',
  refused: 'A user said that it is not the same as another contributor.',
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
 * Ends memberships. What is known of one whose unified entity became part of an older one is for readers who hold the keys of both; otherwise
 * for those who saw the unified entity until now.
 */
export async function recordEndings(ctx: Pick<Context, 'db' | 'caller'>, endings: readonly Ending[]): Promise<void> {
  if (endings.length === 0) return
  await sql`
    update consolidation_events as e
    set undone_at = now(), undone_by = nullif(${ctx.caller.id}::integer, 0), undone_reason = i.reason,
      vis = coalesce((
        select composite_of(h.source, ${rankOf(sql`u.vis`)}, h.keys || o.keys)
        from entities as u
        join composites as h on h.number = ${sourceOf(sql`u.vis`)}
        join composites as o on o.number = ${sourceOf(sql`e.vis`)}
        where u.id = i.heir), e.vis)
    from unnest(${uuidList(endings.map(({ entity }) => entity))}::uuid[],
      ${uuidList(endings.map(({ unified }) => unified))}::uuid[],
      ${textList(endings.map(({ reason }) => reason))}::text[],
      ${endings.map(({ heir }) => heir)}::uuid[]) as i(entity, unified, reason, heir)
    where e.entity = i.entity and e.unified = i.unified and e.undone_at is null`.execute(ctx.db)
}

/** Records what came to contribute to the unified entities of these groups, and why. */
export async function recordBeginnings(
  ctx: Pick<Context, 'db' | 'caller'>,
  groups: readonly Group[],
  begun: readonly Membership[],
): Promise<void> {
  if (begun.length === 0) return
  const group = new Map(groups.map((each) => [each.unified, each]))
  const events = begun.map(({ entity, unified }) => {
    const key = group.get(unified)?.joins.get(entity)
    const isByPerson = key !== undefined && isAssigned(key)
    return {
      entity,
      unified,
      method: isByPerson ? 'user-assigned' : 'rule-based',
      reason: !key || isByPerson ? null : describeKey(key),
      policy: isByPerson ? null : (group.get(unified)?.policy ?? null),
    }
  })
  await sql`
    insert into consolidation_events (entity, unified, vis, method, reason, policy, created_by)
    select i.entity, i.unified, (select u.vis from entities as u where u.id = i.unified), i.method, i.reason, i.policy,
      nullif(${ctx.caller.id}::integer, 0)
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as i(entity uuid, unified uuid, method text, reason jsonb, policy integer)`.execute(ctx.db)
}
