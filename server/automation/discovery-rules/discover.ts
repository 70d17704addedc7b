import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Criteria } from './criteria.ts'
import { matches } from './matches.ts'

/** How many entities a rule newly found, and how many no longer match. */
export interface Discovered {
  readonly found: number
  readonly lost: number
}

/**
 * Updates the entities that a rule has found, with the sight of the caller: among these entities, or among all. Entities that no longer
 * match are removed; those found before keep their time.
 */
export async function discover(ctx: Context, rule: Criteria, among?: readonly string[]): Promise<Discovered> {
  const isMatch = await matches(ctx, rule)
  const isAmong = (column: string) => (among ? sql`${sql.ref(column)} = any(${among}::uuid[])` : sql`true`)
  const { rows } = await sql<Discovered>`
    with matching as materialized (
      select t.id from entities as t where ${isMatch} and ${isAmong('t.id')}
    ), lost as (
      delete from discovered_entities as d
      where d.source = ${rule.id} and ${isAmong('d.target')}
        and not exists (select from matching where matching.id = d.target)
      returning d.target
    ), made as (
      insert into discovered_entities (source, target)
      select ${rule.id}::integer, matching.id from matching
      on conflict do nothing
      returning target
    )
    select (select count(*) from made) as found, (select count(*) from lost) as lost`.execute(ctx.db)
  return { found: Number(rows[0]?.found), lost: Number(rows[0]?.lost) }
}
