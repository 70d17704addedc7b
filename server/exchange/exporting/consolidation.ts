import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { CONSOLIDATIONS, type Consolidation } from '../../domain/consolidation.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { rankOf } from '../../identity/access/visibility.ts'

/** The field of a configuration. */
export const consolidation = z
  .enum(CONSOLIDATIONS)
  .default('contributors')
  .describe(
    'What represents a unified entity: its contributors, the unified entity in place of them, or all of them with `derived-from` relationships.',
  )

/** What a mode leaves out, as a line for the log of an export. */
export const REPRESENTATIONS: Readonly<Record<Consolidation, string>> = {
  contributors: 'Unified entities are left out: their contributors represent them.',
  unified: 'Contributors are left out where their unified entity represents them.',
  all: 'Unified entities and their contributors are both included.',
}

/** What may be exported, as conditions on the row `t` of entities. */
export interface Limits {
  /** Whether the content of an entity may leave, by itself or as part of a unified entity. */
  readonly mayLeave: RawBuilder<SqlBool>
  /** Whether an entity that may leave is exported itself. */
  readonly isWanted?: RawBuilder<SqlBool>
}

/** Whether the caller sees any unified entity. */
export async function seesUnified(ctx: Context): Promise<boolean> {
  const { rows } = await sql<{ sees: boolean }>`
    select exists (
      select from entities as t where t.is_unified and ${visible(ctx, resourceOf(ctx, 'entities'))}) as sees`.execute(
    ctx.db,
  )
  return rows[0]?.sees === true
}

interface Consolidated extends Limits {
  readonly mode: Consolidation
  /** Whether the row `t` of entities is selected. */
  readonly isSelected: RawBuilder<SqlBool>
  /**
   * Whether a selected unified entity `t` stands for all its contributors. A query may find a unified entity by what only one of them says:
   * what is published without a person looking at it must not contain the others for that.
   */
  readonly isNamed?: RawBuilder<SqlBool>
  /** A query for the ids of entities that are related to those of another one; without it, none are added. */
  readonly related?: ((first: RawBuilder<unknown>) => RawBuilder<unknown>) | undefined
}

/**
 * The selected entities in the form that a mode asks for, as a condition on the row `t` of entities: contributors in place of selected
 * unified entities, or unified entities in place of selected contributors, or both.
 *
 * A unified entity is only exported if the content of every contributor that it was made from may leave. Otherwise its contributors
 * are exported as they are, as far as they may leave.
 */
export function consolidated(
  ctx: Context,
  { mode, isSelected, isNamed = sql`true`, related, ...limits }: Consolidated,
): RawBuilder<SqlBool> {
  const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
  const isWanted = limits.isWanted ?? sql<SqlBool>`true`
  const has = { unified: mode !== 'contributors', contributors: mode !== 'unified' }
  const parts = [
    sql`chosen as materialized (
      select t.id, t.is_unified, t.is_unified and ${isNamed} as is_named from entities as t
      where ${isSeen} and ${isSelected})`,
    // What the selection means without consolidation.
    sql`own as materialized (
      select c.id from chosen as c where not c.is_unified
      union
      select m.entity from chosen as c join contributors as m on m.unified = c.id where c.is_named)`,
    ...(has.unified ? [standing('first_standing', sql`own`, limits, isWanted)] : []),
    ...(related ? [withRelated(related, limits, isWanted, has.unified)] : []),
  ]
  const ordinary = related ? sql`related` : sql`own`
  if (!has.unified) return among(parts, sql`select o.id from ${ordinary} as o`, limits, isWanted)
  const all = related ? [...parts, standing('standing', ordinary, limits, isWanted)] : parts
  const shown = related ? sql`standing` : sql`first_standing`
  const isLeft = has.contributors
    ? sql`true`
    : sql`o.id not in (select m.entity from contributors as m join ${shown} as s on s.id = m.unified)`
  return among(
    all,
    sql`select s.id from ${shown} as s union select o.id from ${ordinary} as o where ${isLeft}`,
    limits,
    isWanted,
  )
}

const among = (
  parts: readonly RawBuilder<unknown>[],
  ids: RawBuilder<unknown>,
  { mayLeave }: Limits,
  isWanted: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> => sql`(t.id in (with ${sql.join(parts)} ${ids}) and ${mayLeave} and ${isWanted})`

/** The unified entities that may stand for selected ones or for their contributors. */
const standing = (
  name: string,
  ordinary: RawBuilder<unknown>,
  { mayLeave }: Limits,
  isWanted: RawBuilder<SqlBool>,
): RawBuilder<unknown> => sql`
  ${sql.ref(name)} as materialized (
    with touched as materialized (
      select c.id from chosen as c where c.is_unified
      union
      select m.unified
      from ${ordinary} as o join contributors as m on m.entity = o.id join entities as t on t.id = o.id
      where ${mayLeave})
    select t.id from entities as t
    where t.id in (select g.id from touched as g) and t.is_unified and ${mayLeave} and ${isWanted}
      and t.id not in (
        select u.id
        from touched as g
        join entities as u on u.id = g.id
        join contributors as m on m.unified = u.id
        join entities as t on t.id = m.entity
        where ${isPartOf(sql`t.vis`, sql`u.vis`)} and (${mayLeave}) is not true))`

/** Whether the content of a contributor is part of its unified entity, by their keys. */
const isPartOf = (contributor: RawBuilder<unknown>, unified: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`${rankOf(contributor)} <= ${rankOf(unified)}`

/** Adds entities that are related to the selected ones, and to the contributors of what stands for them. */
const withRelated = (
  related: NonNullable<Consolidated['related']>,
  { mayLeave }: Limits,
  isWanted: RawBuilder<SqlBool>,
  hasUnified: boolean,
): RawBuilder<unknown> => sql`
  begun as materialized (
    select t.id from entities as t where t.id in (select o.id from own as o) and ${mayLeave} and ${isWanted}
    ${
      hasUnified
        ? sql`
    union
    select t.id from entities as t
    where t.id in (select m.entity from contributors as m join first_standing as s on s.id = m.unified) and ${mayLeave}`
        : sql``
    }),
  related as materialized (select o.id from own as o union ${related(sql`begun`)})`
