import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { compareAll } from '../owned-queries/compare-all.ts'
import type { Compiled } from '../owned-queries/compile-owned.ts'

/** An entity that a rule found as it was written. */
export interface Hit {
  readonly rule: number
  readonly entity: string
}

/** An entity that a change wrote, or to which it added an observable. */
export interface Written {
  readonly change: number
  readonly entity: string
}

/** Compares written entities with rules, in one statement unless a rule fails or takes too long. */
export async function compareWritten(
  ctx: Context,
  rules: readonly Compiled[],
  written: readonly Written[],
): Promise<{ readonly hits: readonly Hit[]; readonly problems: ReadonlyMap<number, string> }> {
  const { found, problems } = await compareAll(ctx, rules, 'rule', (some) => compare(ctx, some, written))
  return { hits: found, problems }
}

/**
 * Updates what the rules have found among these entities. A hit is an entity that was written since the rule was changed and that the rule had
 * not found at the time: a rescan may have found it since.
 */
async function compare(
  { db }: Context,
  rules: readonly Compiled[],
  written: readonly Written[],
): Promise<readonly Hit[]> {
  const branches = rules.map(
    ({ id, condition }) => sql`
      select ${id}::integer as rule, t.id from entities as t where t.id in (select w.id from written as w) and ${condition}`,
  )
  const { rows } = await sql<Hit & { is_hit: boolean }>`
    with written as materialized (
      select i.entity as id, min(c.at) as at
      from unnest(${written.map(({ entity }) => entity)}::uuid[], ${written.map(({ change }) => change)}::bigint[]) as i(entity, change)
      join changes as c on c.id = i.change
      group by i.entity
    ), matching as materialized (${sql.join(branches, sql` union all `)}
    ), lost as (
      delete from discovered_entities as d
      using written as w
      where d.target = w.id and d.source = any(${rules.map(({ id }) => id)}::integer[])
        and not exists (select from matching as m where m.rule = d.source and m.id = d.target)
    ), made as (
      insert into discovered_entities as d (source, target, written_at)
      select m.rule, m.id, case when w.at >= r.matching_since then w.at end
      from matching as m join written as w on w.id = m.id join discovery_rules as r on r.id = m.rule
      on conflict (source, target) do update
      set written_at = excluded.written_at, discovered_at = excluded.discovered_at
      where d.written_at is null and d.discovered_at > excluded.written_at
      returning d.source as rule, d.target as entity, d.written_at is not null as is_hit
    )
    select rule, entity, is_hit from made`.execute(db)
  return rows.filter(({ is_hit }) => is_hit)
}
