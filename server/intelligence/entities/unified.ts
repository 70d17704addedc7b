import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import type { Reduction } from '../../engine/definition.ts'
import { holdsKey } from '../../identity/access/sight.ts'

/**
 * A unified entity is one picture of what several entities describe, its contributors. It is a row of `entities` like any other; its key
 * is held only by those who hold the keys of all contributors, so that every condition on visibility covers it. Contributors are never
 * changed: which unified entity they belong to is in the table `contributors`.
 */

/** A column of the unified entity that the entity `t` contributes to, if the caller may see it. */
const unifiedColumn = (ctx: Pick<Context, 'caller'>, column: string): RawBuilder<unknown> => sql`(
  select u.${sql.ref(column)} from contributors as m join entities as u on u.id = m.unified
  where m.entity = t.id and ${holdsKey(ctx, sql`u.vis`)})`

/** The STIX id of the unified entity that the entity `t` contributes to, if the caller may see it. */
export const unifiedStixId = (ctx: Context): RawBuilder<unknown> => unifiedColumn(ctx, 'stix_id')

/** Whether the entity `t` contributes to a unified entity `u` that meets a condition and that the caller may see. */
export const contributesTo = (
  ctx: Pick<Context, 'caller'>,
  isWanted: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> => sql`t.id in (
  select m.entity from contributors as m join entities as u on u.id = m.unified
  where ${holdsKey(ctx, sql`u.vis`)} and ${isWanted})`

/** Whether only a person can consolidate the entity `t`. */
export const isExempt = 'exists (select from consolidation_exemptions as x where x.entity = t.id)'

/** Which entities contribute to which unified entities that the caller may see, as rows of `unified` and `entity`. */
export const memberships = (ctx: Pick<Context, 'caller'>): RawBuilder<unknown> => sql`(
  select m.unified, m.entity from contributors as m join entities as u on u.id = m.unified
  where ${holdsKey(ctx, sql`u.vis`)})`

/** The contributors of unified entities that the caller may see, as rows of `unified` and `entity`; of no others. */
export const contributorsOf = (ctx: Pick<Context, 'caller'>, unified: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select m.unified, m.entity from contributors as m join entities as u on u.id = m.unified
  where m.unified = any(${unified}) and ${holdsKey(ctx, sql`u.vis`)})`

/**
 * These entities, and the contributors of the unified ones among them that the caller may see: relationships stay with the
 * contributors, so that a unified entity stands for them wherever it is asked about.
 */
export async function withContributors(ctx: Context, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ entity: string }>`
    select c.entity from ${contributorsOf(ctx, sql`${ids}::uuid[]`)} as c order by c.entity`.execute(ctx.db)
  return rows.length === 0 ? ids : [...new Set([...ids, ...rows.map(({ entity }) => entity)])]
}

/**
 * Leaves out the contributors of those unified entities `t` that meet a condition and that the caller may see. Contributors of a unified
 * entity that does not meet it remain: otherwise nothing would stand for them.
 */
export const withoutContributors = (
  ctx: Pick<Context, 'caller'>,
  matches: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> => sql`
  t.id not in (
    select m.entity from entities as t join contributors as m on m.unified = t.id
    where t.is_unified and ${holdsKey(ctx, sql`t.vis`)} and ${matches})`

/** The same for statements that check few rows: the unified entity of each is looked up, instead of those of all matches. */
const withoutContributor = (ctx: Pick<Context, 'caller'>, matches: RawBuilder<SqlBool>): RawBuilder<SqlBool> => sql`
  not exists (
    select from (select t.id) as own(id) cross join lateral (
      select from contributors as m join entities as t on t.id = m.unified
      where m.entity = own.id and t.is_unified and ${holdsKey(ctx, sql`t.vis`)} and ${matches}) as u)`

/** What a reader wants to see of unified entities and their contributors; the first is the default. */
export const CONSOLIDATIONS = ['all', 'unified', 'contributors'] as const
export type Consolidation = (typeof CONSOLIDATIONS)[number]

export const consolidation = z
  .enum(CONSOLIDATIONS)
  .describe('`unified` leaves out contributors of unified entities in the result, `contributors` unified entities.')

const reduced =
  (leaveOut: typeof withoutContributors): Reduction['condition'] =>
  (ctx, value, matches) =>
    value === 'unified' ? leaveOut(ctx, matches) : sql`not t.is_unified`

/** The parameter of lists and counts of entities. */
export const byConsolidation: Reduction = {
  parameter: 'consolidation',
  values: CONSOLIDATIONS,
  doc: consolidation.description ?? '',
  condition: reduced(withoutContributors),
  rowCondition: reduced(withoutContributor),
}
