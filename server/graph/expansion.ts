import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { mayReach, relationshipSteps } from '../intelligence/relational/steps.ts'
import type { Expansion } from './expand.ts'
import {
  type EntityRow,
  entityColumns,
  type ObservableRow,
  observableColumns,
  type RelationshipRow,
  relationshipColumns,
} from './nodes.ts'

interface Placed {
  readonly position: number
}

interface Found {
  readonly entities: readonly (EntityRow & Placed)[]
  readonly observables: readonly (ObservableRow & Placed)[]
  readonly relationships: readonly RelationshipRow[]
  readonly links: readonly { readonly source: string; readonly target: number; readonly link_type: string | null }[]
  readonly total_count: number
  readonly total_edge_count: number
}

/**
 * Finds what one step from the given nodes reaches, in one statement. A step consists of an edge, which is a
 * relationship or a link between an entity and an observable, and the node at its other end. Steps between given
 * nodes yield edges only.
 */
export async function findExpansion(ctx: Context, input: Expansion, mostEdges: number): Promise<Found> {
  const { rows } = await sql<Found>`
    with given as materialized (select distinct unnest(${input.entities}::uuid[]) as id),
    given_observables as materialized (select distinct unnest(${input.observables}::integer[]) as id),
    steps as materialized (${sql.join(stepsOf(ctx, input), sql` union all `)}),
    nodes as materialized (
      select far_entity, far_observable, count(*) as edges
      from steps
      where case
        when far_entity is not null then far_entity not in (select id from given)
        else far_observable not in (select id from given_observables)
      end
      group by far_entity, far_observable
    ),
    shown as materialized (
      select far_entity, far_observable,
        row_number() over (order by edges desc, far_entity, far_observable)::integer as position
      from nodes
      order by position
      limit ${input.limit}
    ),
    edges as materialized (
      select distinct on (s.relationship, s.entity, s.observable)
        s.relationship, s.entity, s.observable, coalesce(e.position, o.position) as position
      from steps as s
      left join shown as e on e.far_entity = s.far_entity
      left join shown as o on o.far_observable = s.far_observable
      where coalesce(e.position, o.position) is not null
        or s.far_entity in (select id from given) or s.far_observable in (select id from given_observables)
      order by s.relationship, s.entity, s.observable, position
    ),
    -- Where there are too many, every node keeps an edge before any has a second one.
    kept as materialized (
      select *
      from (
        select *, row_number() over (partition by position order by relationship, entity, observable) as turn
        from edges
      ) as e
      order by position is null, turn, position, relationship, entity, observable
      limit ${mostEdges}
    )
    select
      (select count(*) from nodes)::integer as total_count,
      (select count(*) from edges)::integer as total_edge_count,
      ${listOf(sql`select ${entityColumns}, n.position from shown as n join entities as t on t.id = n.far_entity`)}
        as entities,
      ${listOf(sql`
        select ${observableColumns(ctx)}, n.position from shown as n join observables as o on o.id = n.far_observable`)}
        as observables,
      ${listOf(sql`
        select ${relationshipColumns} from kept as k join relationships as r on r.id = k.relationship order by r.id`)}
        as relationships,
      ${listOf(sql`
        select l.source, l.target, l.link_type
        from kept as k join entity_observables as l on l.source = k.entity and l.target = k.observable
        order by l.source, l.target`)}
        as links`.execute(ctx.db)
  return rows[0] ?? { entities: [], observables: [], relationships: [], links: [], total_count: 0, total_edge_count: 0 }
}

function stepsOf(ctx: Context, input: Expansion): RawBuilder<unknown>[] {
  const isFit = mayReach(ctx, input.entity_types)
  const alongRelationships = sql`
    select s.relationship, null::uuid as entity, null::integer as observable, s.far as far_entity,
      null::integer as far_observable
    from (${sql.join(relationshipSteps(ctx, 'given', input), sql` union all `)}) as s
    join entities as t on t.id = s.far
    where ${isFit}`
  const toObservables = sql`
    select null::uuid, l.source, l.target, null::uuid, l.target
    from given as g join entity_observables as l on l.source = g.id`
  const toEntities = sql`
    select null::uuid, l.source, l.target, l.source, null::integer
    from given_observables as g
    join entity_observables as l on l.target = g.id
    join entities as t on t.id = l.source
    where ${isFit}`
  const none = sql`
    select null::uuid as relationship, null::uuid as entity, null::integer as observable, null::uuid as far_entity,
      null::integer as far_observable
    where false`
  return [
    none,
    ...(input.via === 'observables' ? [] : [alongRelationships]),
    ...(input.via === 'relationships' ? [] : [toObservables]),
    toEntities,
  ]
}

const listOf = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(json_agg(x), '[]') from (${rows}) as x)`
