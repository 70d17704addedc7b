import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../engine/context.ts'
import { and } from '../engine/select.ts'
import { memberships } from '../intelligence/entities/unified.ts'
import { mayReach, relationshipSteps } from '../intelligence/relational/steps.ts'
import { mayBeNode, membersOf, nodeOf } from './consolidated.ts'
import type { Expansion } from './expand.ts'
import {
  type EntityRow,
  entityColumns,
  type ObservableRow,
  observableColumns,
  type RelationshipRow,
  type UnifiesRow,
} from './nodes.ts'

interface Placed {
  readonly position: number
}

interface Found {
  readonly entities: readonly (EntityRow & Placed)[]
  readonly observables: readonly (ObservableRow & Placed)[]
  readonly relationships: readonly RelationshipRow[]
  readonly unifies: readonly UnifiesRow[]
  readonly links: readonly { readonly source: string; readonly target: number; readonly link_type: string | null }[]
  readonly total_count: number
  readonly total_edge_count: number
}

/**
 * Finds what one step from the given nodes reaches, in one statement. A step consists of an edge, which is a
 * relationship or a link between an entity and an observable, and the node at its other end. Steps between given
 * nodes yield edges only. A given unified entity leads to its contributors, and they to their neighbours.
 */
export async function findExpansion(ctx: Context, input: Expansion, mostEdges: number): Promise<Found> {
  const { consolidation } = input
  const given = nodeOf(ctx, consolidation, sql`i.id`)
  const { rows } = await sql<Found>`
    with given as materialized (select distinct ${given} as id from unnest(${input.entities}::uuid[]) as i(id)),
    given_observables as materialized (select distinct unnest(${input.observables}::integer[]) as id),
    near as materialized (${membersOf(ctx, consolidation, 'given')}),
    steps as materialized (${sql.join(stepsOf(ctx, input), sql` union all `)}),
    nodes as materialized (
      select far_entity, far_observable, count(*) filter (where not is_contributor) as edges,
        bool_or(is_contributor) as is_contributor
      from steps
      where case
        when far_entity is not null then far_entity not in (select id from given)
        else far_observable not in (select id from given_observables)
      end
      group by far_entity, far_observable
    ),
    shown as materialized (
      select far_entity, far_observable,
        -- Contributors first: without them, the edges of their unified entity have no ends.
        row_number() over (order by is_contributor desc, edges desc, far_entity, far_observable)::integer as position
      from nodes
      order by position
      limit ${input.limit}
    ),
    every as materialized (
      select id from given union select far_entity from shown where far_entity is not null
    ),
    edges as materialized (
      select distinct on (s.relationship, s.entity, s.observable)
        s.*, coalesce(e.position, o.position) as position
      from steps as s
      left join shown as e on e.far_entity = s.far_entity
      left join shown as o on o.far_observable = s.far_observable
      where (s.relationship is not null or s.entity is not null)
        and (s.near is null or s.near in (select id from every))
        and (coalesce(e.position, o.position) is not null
          or s.far_entity in (select id from given) or s.far_observable in (select id from given_observables))
      order by s.relationship, s.entity, s.observable, position
    ),
    unifies as materialized (
      select m.unified as source, m.entity as target
      from ${memberships(ctx)} as m
      where m.unified in (select id from every) and m.entity in (select id from every)
        and (m.unified in (select id from given) or m.entity in (select id from given))
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
      ((select count(*) from edges) + (select count(*) from unifies))::integer as total_edge_count,
      ${listOf(sql`select ${entityColumns}, n.position from shown as n join entities as t on t.id = n.far_entity`)}
        as entities,
      ${listOf(sql`
        select ${observableColumns(ctx)}, n.position from shown as n join observables as o on o.id = n.far_observable`)}
        as observables,
      ${listOf(sql`
        select k.relationship as id, k.source, k.target, k.key, k.subtype, k.relationships
        from kept as k where k.relationship is not null order by k.relationship`)} as relationships,
      ${listOf(sql`
        select k.entity as source, k.observable as target, k.link_type
        from kept as k where k.entity is not null order by 1, 2`)} as links,
      ${listOf(sql`select source, target from unifies order by source, target limit ${mostEdges}`)} as unifies`.execute(
    ctx.db,
  )
  return rows[0] ?? NOTHING
}

const NOTHING: Found = {
  entities: [],
  observables: [],
  relationships: [],
  links: [],
  unifies: [],
  total_count: 0,
  total_edge_count: 0,
}

/** The relationships that lead away from the given nodes, as edges between nodes: each, or those that look the same as one. */
function related(ctx: Context, { consolidation, ...input }: Expansion): RawBuilder<unknown> {
  const [near, far] = [nodeOf(ctx, consolidation, sql`v.near`), nodeOf(ctx, consolidation, sql`v.far`)]
  const steps = sql`
    select s.*, case s.way when 'out' then s.near else s.far end as source,
      case s.way when 'out' then s.far else s.near end as target
    from (
      select v.relationship, v.way, v.key, v.subtype, ${near} as near, ${far} as far
      from (${sql.join(relationshipSteps(ctx, 'near', input), sql` union all `)}) as v
      join entities as t on t.id = v.far
      where ${mayReach(ctx, input.entity_types)}
    ) as s`
  if (consolidation !== 'unified') return sql`select r.*, null::uuid[] as relationships from (${steps}) as r`
  return sql`
    select (array_agg(r.relationship order by r.relationship))[1] as relationship, r.key, r.subtype, r.near, r.far, r.source,
      r.target, array_agg(distinct r.relationship) as relationships
    from (${steps}) as r
    -- What contributors of the same unified entity have to do with each other is no edge.
    where r.near <> r.far
    group by r.key, r.subtype, r.near, r.far, r.source, r.target`
}

/** A step of a graph. */
const step = (values: Readonly<Partial<Record<keyof typeof STEP, RawBuilder<unknown>>>>): RawBuilder<unknown> =>
  sql.join(Object.entries({ ...STEP, ...values }).map(([name, value]) => sql`${value} as ${sql.ref(name)}`))

const STEP = {
  relationship: sql`null::uuid`,
  source: sql`null::uuid`,
  target: sql`null::uuid`,
  key: sql`null::text`,
  subtype: sql`null::text`,
  relationships: sql`null::uuid[]`,
  near: sql`null::uuid`,
  entity: sql`null::uuid`,
  observable: sql`null::integer`,
  link_type: sql`null::text`,
  far_entity: sql`null::uuid`,
  far_observable: sql`null::integer`,
  is_contributor: sql`false`,
}

/** How a node is linked with an observable: as the entity itself is, or one of its contributors. */
const firstType = (isOwn: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(array_agg(l.link_type order by ${isOwn} desc, l.link_type))[1]`

function stepsOf(ctx: Context, input: Expansion): RawBuilder<unknown>[] {
  const { consolidation, via } = input
  const isUnified = consolidation === 'unified'
  const isFit = and([mayReach(ctx, input.entity_types), mayBeNode(consolidation)])
  const none = sql`select ${step({})} where false`
  const alongRelationships = sql`
    select r.relationship, r.source, r.target, r.key, r.subtype, r.relationships, r.near, null, null, null, r.far, null, false
    from (${related(ctx, input)}) as r`
  const toContributors = sql`
    select ${step({ far_entity: sql`m.entity`, is_contributor: sql`true` })}
    from given as g join ${memberships(ctx)} as m on m.unified = g.id
    join entities as t on t.id = m.entity
    where ${mayReach(ctx)}`
  const link = { entity: sql`l.node`, observable: sql`l.target`, link_type: sql`l.link_type` }
  const toObservables = sql`
    select ${step({ ...link, far_observable: sql`l.target` })}
    from (
      select n.node, l.target, ${firstType(sql`n.id = n.node`)} as link_type
      from ${isUnified ? sql`near` : sql`(select id, id as node from given)`} as n
      join entity_observables as l on l.source = n.id
      group by n.node, l.target
    ) as l`
  const toEntities = sql`
    select ${step({ ...link, far_entity: sql`l.node` })}
    from (
      select l.node, l.target, ${firstType(sql`l.source = l.node`)} as link_type
      from (
        select l.*, ${nodeOf(ctx, consolidation, sql`l.source`)} as node
        from given_observables as g
        join entity_observables as l on l.target = g.id
        join entities as t on t.id = l.source
        where ${isFit}
      ) as l
      group by l.node, l.target
    ) as l`
  return [
    none,
    ...(via === 'observables' ? [] : [alongRelationships]),
    ...(via === 'observables' || isUnified ? [] : [toContributors]),
    ...(via === 'relationships' ? [] : [toObservables]),
    toEntities,
  ]
}

const listOf = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(json_agg(x), '[]') from (${rows}) as x)`
