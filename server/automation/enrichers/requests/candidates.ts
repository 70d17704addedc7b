import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { TLP } from '../../../domain/tlp.ts'
import type { Context } from '../../../engine/context.ts'
import { badRequest } from '../../../engine/errors.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { rankOf } from '../../../identity/access/visibility.ts'
import { isVisibleOne, lowestRank } from '../../../intelligence/observables/sight.ts'
import type { Candidate, Rules } from './classify.ts'

/** Whether the stored result `f` of the enricher `e` is still valid for a requester who sees the observable at a rank. Errors never are. */
export const isFresh = (rank: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`(
  f.state in ('FOUND', 'EMPTY') and f.expires_at > now()
  and ${rankOf(sql`f.vis`)} <= greatest(${rank}, ${rankOfColour(sql`e.tlp_color`)}))`

/** The rank of a stored colour. */
export const rankOfColour = (colour: RawBuilder<unknown>): RawBuilder<number> =>
  sql`(coalesce(array_position(${sql.lit(`{${TLP.join(',')}}`)}::text[], ${colour}), 1) - 1)`

const SEEN_AT = sql`o.rank`

/**
 * The observables among these that the caller sees, in the order of their ids, with what decides about each. A result that the caller does
 * not see is as if there were none: otherwise, what is left to look up would tell who looked it up before.
 */
export async function readCandidates(
  ctx: Context,
  ids: readonly number[],
  enrichers: readonly number[],
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select o.id, o.type, o.value, o.rank, array(
      select f.enricher
      from enrichments as f join enrichers as e on e.id = f.enricher
      where f.observable = o.id and f.enricher = any(${enrichers}::integer[]) and ${isFresh(SEEN_AT)} and ${holdsKey(ctx, sql`f.vis`)}
    ) as fresh
    from (
      select t.id, t.type, t.value, ${lowestRank(ctx, 't')} as rank
      from observables as t
      where t.id = any(${ids}::integer[]) and ${isVisibleOne(ctx, 't')}
    ) as o
    where o.rank is not null
    order by o.id`.execute(ctx.db)
  return rows
}

/** The enrichers with these ids. Responds 400 if one does not exist or, unless told otherwise, is inactive. */
export async function readRules(ctx: Pick<Context, 'db'>, ids: readonly number[], isAny = false): Promise<Rules[]> {
  const { rows } = await sql<Rules & { is_active: boolean }>`
    select id, name, supported_observable_types, max_tlp, is_active
    from enrichers
    where id = any(${ids}::integer[])
    order by id`.execute(ctx.db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const faults = ids.flatMap((id, i) => {
    const found = byId.get(id)
    if (!found) return [`enrichers[${i}]: there is no '${id}' in enrichers.`]
    return found.is_active || isAny ? [] : [`enrichers[${i}]: '${found.name}' is not active.`]
  })
  if (faults.length > 0) throw badRequest(faults)
  return rows
}
