import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { attempt } from './attempt.ts'
import type { CompiledRule } from './compile-rules.ts'

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

/** The time limit for all rules together, and for one of them. */
const TOGETHER_MS = 10_000
const ALONE_MS = 5000

/**
 * Compares written entities with rules, in one statement. If it fails or takes too long, each rule has its own, so that a rule cannot affect
 * others. Rules that failed the last time always have their own.
 */
export async function compareWritten(
  ctx: Context,
  rules: readonly CompiledRule[],
  written: readonly Written[],
): Promise<{ readonly hits: readonly Hit[]; readonly problems: ReadonlyMap<number, string> }> {
  const problems = new Map<number, string>()
  const sound = rules.filter(({ hadProblem }) => !hadProblem)
  const together = await attempt(ctx, () => compare(ctx, sound, written, TOGETHER_MS))
  const hits = 'value' in together ? [...together.value] : []
  for (const rule of 'value' in together ? rules.filter(({ hadProblem }) => hadProblem) : rules) {
    const alone = await attempt(ctx, () => compare(ctx, [rule], written, ALONE_MS))
    if ('value' in alone) hits.push(...alone.value)
    else problems.set(rule.id, alone.problem)
  }
  return { hits, problems }
}

/**
 * Updates what the rules have found among these entities. A hit is an entity that was written since the rule was changed and that the rule had
 * not found at the time: a rescan may have found it since.
 */
async function compare(
  { db }: Context,
  rules: readonly CompiledRule[],
  written: readonly Written[],
  limit: number,
): Promise<readonly Hit[]> {
  if (rules.length === 0) return []
  const branches = rules.map(
    ({ id, condition }) => sql`
      select ${id}::integer as rule, t.id from entities as t where t.id in (select w.id from written as w) and ${condition}`,
  )
  await sql`select set_config('statement_timeout', ${String(limit)}, true)`.execute(db)
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
