import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import type { Group } from './decide.ts'
import { isAssigned } from './matching/keys.ts'
import type { Neighbour } from './neighbourhood.ts'

export interface Membership {
  readonly entity: string
  readonly unified: string
  readonly is_assigned: boolean
}

/** How the contributors of unified entities change. */
export interface MembershipChanges {
  /** Entities that come to contribute to a unified entity. */
  readonly begun: readonly Membership[]
  /** Entities that stay, but are assigned now and were not, or the reverse. */
  readonly restated: readonly Membership[]
  /** Entities that contributed to a unified entity, also if they contribute to another now. */
  readonly ended: readonly Omit<Membership, 'is_assigned'>[]
  /** Entities that contribute to nothing any more. */
  readonly gone: readonly string[]
}

/** Compares the groups with what the core of the neighbourhood contributes to. */
export function compareMemberships(neighbours: readonly Neighbour[], groups: readonly Group[]): MembershipChanges {
  const before = new Map(
    neighbours.flatMap(({ entity, is_core, membership }) => (is_core && membership ? [[entity, membership]] : [])),
  )
  const assigned = new Set(neighbours.filter(({ keys }) => keys.some(isAssigned)).map(({ entity }) => entity))
  const now = new Map(
    groups.flatMap(({ contributors, unified }) =>
      contributors.map((entity) => [entity, { entity, unified, is_assigned: assigned.has(entity) }]),
    ),
  )
  const all = [...now.values()]
  const ended = [...before].filter(([entity, { unified }]) => now.get(entity)?.unified !== unified)
  return {
    begun: all.filter(({ entity, unified }) => before.get(entity)?.unified !== unified),
    restated: all.filter(({ entity, unified, is_assigned }) => {
      const known = before.get(entity)
      return known?.unified === unified && known.is_assigned !== is_assigned
    }),
    ended: ended.map(([entity, { unified }]) => ({ entity, unified })),
    gone: ended.flatMap(([entity]) => (now.has(entity) ? [] : [entity])),
  }
}

/** Writes the contributors. Unified entities that do not exist yet must be inserted before the transaction ends. */
export async function storeMemberships(
  { db }: Pick<Context, 'db'>,
  { begun, restated, gone }: MembershipChanges,
): Promise<void> {
  const put = [...begun, ...restated]
  if (put.length + gone.length === 0) return
  await sql`set constraints contributors_unified_fkey deferred`.execute(db)
  await sql`
    with gone as (
      delete from contributors where entity = any(${uuidList(gone)}::uuid[])
    )
    insert into contributors as m (entity, unified, is_assigned)
    select * from unnest(${uuidList(put.map(({ entity }) => entity))}::uuid[],
      ${uuidList(put.map(({ unified }) => unified))}::uuid[], ${put.map(({ is_assigned }) => is_assigned)}::boolean[])
    on conflict (entity) do update
    set unified = excluded.unified, is_assigned = excluded.is_assigned,
      since = case when m.unified = excluded.unified then m.since else now() end`.execute(db)
}

/**
 * Locks entities in the order of all writers, and returns those that can still contribute. Until the transaction ends, their keys do not
 * change: a unified entity is never less restricted than what it is made of.
 */
export async function lockContributors(
  { db }: Pick<Context, 'db'>,
  entities: readonly string[],
): Promise<ReadonlySet<string>> {
  if (entities.length === 0) return new Set()
  const { rows } = await sql<{ id: string; takes_part: boolean }>`
    select e.id, not e.is_unified and not e.is_unresolved and not e.is_withdrawn as takes_part
    from entities as e
    where e.id = any(${uuidList(entities)}::uuid[])
    order by e.stix_id
    for share`.execute(db)
  return new Set(rows.filter(({ takes_part }) => takes_part).map(({ id }) => id))
}
