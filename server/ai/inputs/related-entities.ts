import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { fetchRows } from '../../engine/fetch.ts'
import type { Id } from '../../engine/reference.ts'
import { resourceOf } from '../../engine/select.ts'
import { mayReach, relationshipSteps } from '../../intelligence/relational/steps.ts'
import { type InputEntity, inputEntity } from './input-entities.ts'

/** The entities that a relationship joins with some of these, as far as the caller sees both: the most recently changed ones. */
export async function relatedEntities(ctx: Context, ids: readonly Id[], limit: number): Promise<InputEntity[]> {
  if (limit === 0) return []
  const { rows } = await sql<{ id: string }>`
    with given as materialized (select distinct id from unnest(${ids}::uuid[]) as i(id)),
    steps as (${sql.join(relationshipSteps(ctx, 'given', { direction: 'any' }), sql` union all `)})
    select t.id
    from entities as t
    where t.id in (select far from steps) and t.id not in (select id from given) and not t.is_unresolved
      and ${mayReach(ctx)}
    order by t.last_updated_at desc, t.id
    limit ${limit}`.execute(ctx.db)
  return (
    await fetchRows(
      ctx,
      resourceOf(ctx, 'entities'),
      rows.map(({ id }) => id),
    )
  ).map(inputEntity)
}
