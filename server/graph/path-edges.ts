import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../engine/context.ts'
import { resourceOf, visible } from '../engine/select.ts'
import { type Consolidation, memberships } from '../intelligence/entities/unified.ts'
import { membersOf } from './consolidated.ts'
import {
  type ObservableRow,
  observableColumns,
  type RelationshipRow,
  relationshipColumns,
  type relationshipEdge,
  showObservable,
  showRelationship,
  showUnifies,
  type UnifiesRow,
  type unifiesEdge,
} from './nodes.ts'

/** The maximum number of shared observables shown for two entities. */
export const SHOWN_OBSERVABLES = 10

/** The nodes of some pairs `p`, and as `members` the entities behind each. */
const withMembers = (ctx: Context, pairs: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  p as materialized (${pairs}),
  ends as (select a as source, b as target from p union all select b, a from p),
  nodes as materialized (select a as id from p union select b from p),
  members as materialized (${membersOf(ctx, 'unified', 'nodes')})`

/** The relationships between the nodes of each pair. */
export async function readRelationships(
  ctx: Context,
  pairs: RawBuilder<unknown>,
  consolidation: Consolidation,
): Promise<z.output<typeof relationshipEdge>[]> {
  const isSeen = visible(ctx, resourceOf(ctx, 'relationships'), 'r')
  const unified = sql<RelationshipRow>`
    with ${withMembers(ctx, pairs)}
    select (array_agg(r.id order by r.id))[1] as id, e.source, e.target, r.key, r.subtype,
      array_agg(r.id order by r.id) as relationships
    from ends as e
    join members as s on s.node = e.source
    join members as t on t.node = e.target
    join relationships as r on r.source = s.id and r.target = t.id
    where ${isSeen}
    group by e.source, e.target, r.key, r.subtype
    order by 1`
  const single = sql<RelationshipRow>`
    with p as materialized (${pairs}),
    ends as (select a as source, b as target from p union all select b, a from p)
    select ${relationshipColumns}
    from ends as e join relationships as r on r.source = e.source and r.target = e.target
    where ${isSeen}
    order by r.id`
  const { rows } = await (consolidation === 'unified' ? unified : single).execute(ctx.db)
  return rows.map((row) => showRelationship(ctx, row))
}

interface SharedRow {
  readonly source: string
  readonly target: string
  readonly count: number
  readonly observables: readonly ObservableRow[]
}

/** The observables that the nodes of each pair share. */
export async function readShared(ctx: Context, pairs: RawBuilder<unknown>, consolidation: Consolidation) {
  const first = consolidation === 'unified' ? withMembers(ctx, pairs) : sql`p as materialized (${pairs})`
  const ends =
    consolidation === 'unified'
      ? sql`
        select distinct p.a, p.b, x.target
        from p
        join members as m on m.node = p.a
        join members as n on n.node = p.b
        join entity_observables as x on x.source = m.id
        join entity_observables as y on y.source = n.id and y.target = x.target`
      : sql`
        select p.a, p.b, x.target
        from p
        join entity_observables as x on x.source = p.a
        join entity_observables as y on y.source = p.b and y.target = x.target`
  const { rows } = await sql<SharedRow>`
    with ${first},
    shared as materialized (
      select d.a, d.b, d.target, count(*) over (partition by d.a, d.b) as count,
        row_number() over (partition by d.a, d.b order by d.target) as rank
      from (${ends}) as d
    )
    select s.a as source, s.b as target, s.count, json_agg(o order by o.id) as observables
    from shared as s
    cross join lateral (select ${observableColumns(ctx)} from observables as o where o.id = s.target) as o
    where s.rank <= ${SHOWN_OBSERVABLES}
    group by s.a, s.b, s.count
    order by s.a, s.b`.execute(ctx.db)
  return rows.map(({ observables, ...edge }) => ({
    kind: 'shared' as const,
    ...edge,
    observables: observables.map((row) => showObservable(ctx, row)),
  }))
}

/** The pairs of a unified entity and one of its contributors. */
export async function readUnifying(ctx: Context, pairs: RawBuilder<unknown>): Promise<z.output<typeof unifiesEdge>[]> {
  const { rows } = await sql<UnifiesRow>`
    with p as materialized (${pairs})
    select m.unified as source, m.entity as target
    from p join ${memberships(ctx)} as m on (m.unified, m.entity) in ((p.a, p.b), (p.b, p.a))
    order by 1, 2`.execute(ctx.db)
  return rows.map(showUnifies)
}
