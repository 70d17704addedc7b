import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Criteria } from './criteria.ts'
import { matches } from './matches.ts'

/** How many entities a rule newly found, and how many no longer match. */
export interface Discovered {
  readonly found: number
  readonly lost: number
  /** Writes of this transaction and later ones were not all compared. */
  readonly horizon: string
}

/**
 * Updates the entities that a rule has found, with the sight of the caller: among these entities, or among all. Entities that no longer
 * match are removed; those found before keep their time.
 */
export async function discover(ctx: Context, rule: Criteria, among?: readonly string[]): Promise<Discovered> {
  const isMatch = await matches(ctx, rule)
  const isAmong = (column: string) => (among ? sql`${sql.ref(column)} = any(${among}::uuid[])` : sql`true`)
  // The clock tells the follower that a rescan has found an entity before it: the transaction may have begun before the entity was written.
  const { rows } = await sql<Discovered>`
    with matching as materialized (
      select t.id from entities as t where ${isMatch} and ${isAmong('t.id')}
    ), lost as (
      delete from discovered_entities as d
      where d.source = ${rule.id} and ${isAmong('d.target')}
        and not exists (select from matching where matching.id = d.target)
      returning d.target
    ), made as (
      insert into discovered_entities (source, target, discovered_at)
      select ${rule.id}::integer, matching.id, clock_timestamp() from matching
      on conflict do nothing
      returning target
    )
    select (select count(*) from made) as found, (select count(*) from lost) as lost,
      pg_snapshot_xmin(pg_current_snapshot())::text as horizon`.execute(ctx.db)
  const { found = 0, lost = 0, horizon = '0' } = rows[0] ?? {}
  return { found: Number(found), lost: Number(lost), horizon }
}
