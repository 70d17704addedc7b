import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import type { Route } from '../engine/route.ts'
import { resourceOf, visible } from '../engine/select.ts'
import { holdsAnyKey } from '../identity/access/sight.ts'
import { type Consolidation, memberships } from '../intelligence/entities/unified.ts'
import { createdAt } from '../intelligence/observables/sight.ts'
import { idsOf, READ_OBSERVABLES } from '../intelligence/relational/body-references.ts'
import { graphConsolidation, mayBeNode, membersOf, nodeOf } from './consolidated.ts'
import {
  type EntityRow,
  entityColumns,
  entityNode,
  type ObservableRow,
  observableColumns,
  observableEdge,
  observableNode,
  type RelationshipRow,
  relationshipEdge,
  showEntity,
  showObservable,
  showRelationship,
  showUnifies,
  type UnifiesRow,
  unifiesEdge,
} from './nodes.ts'

const MAX_GIVEN_NODES = 20_000
const MAX_EDGES = 50_000

const known = (what: string) =>
  `${what} that you already have: edges to them are returned, but not the nodes themselves.`

const body = z.object({
  entities: idsOf('entities', MAX_GIVEN_NODES),
  observables: idsOf('observables', MAX_GIVEN_NODES),
  known_entities: idsOf('entities', MAX_GIVEN_NODES).describe(known('Entities')),
  known_observables: idsOf('observables', MAX_GIVEN_NODES).describe(known('Observables')),
  consolidation: graphConsolidation,
})

type Asked = z.output<typeof body>

const time = z.iso.datetime({ offset: true })

const result = z.object({
  nodes: z
    .array(
      z.union([
        entityNode.extend({
          created_at: time,
          observed_at: time.nullable(),
          is_unified: z.boolean().describe('Whether it unifies other entities.'),
          stands_for: z
            .array(z.uuid())
            .optional()
            .describe('With `consolidation=unified`: the given contributors that it replaces.'),
        }),
        observableNode.extend({ created_at: time }),
      ]),
    )
    .describe('The given nodes that exist and are visible to you, ordered by id.'),
  edges: z
    .array(z.union([relationshipEdge, observableEdge, unifiesEdge]))
    .describe(`All edges between two of the nodes, or between one of them and a known one; at most ${MAX_EDGES}.`),
  total_edge_count: z.int(),
  is_complete: z.boolean().describe('Whether the response contains all edges.'),
})

const action = defineAction({
  name: 'read_graph_nodes',
  doc: 'Get entities and observables as nodes, with all edges between them; invisible ones are left out',
  tag: 'graph',
  method: 'POST',
  path: '/graph/nodes',
  permission: 'read entities',
  // Only reads, so no transaction is needed.
  isDetached: true,
  body,
  example: { entities: ['018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11'], known_entities: [] },
  result,
  run: (ctx, input) => readNodes(ctx, input),
})

/** Returns the nodes of a graph and their edges in one request. */
export const readGraphNodes: Route = {
  ...action,
  guards: ({ input }: { input: Asked }) =>
    input.observables.length + input.known_observables.length > 0 ? [READ_OBSERVABLES] : [],
}

interface Node extends EntityRow {
  readonly created_at: string
  readonly observed_at: string | null
  readonly is_unified: boolean
  readonly stands_for: readonly string[] | null
}

interface Found {
  readonly entities: readonly Node[]
  readonly observables: readonly (ObservableRow & { readonly created_at: string })[]
  readonly relationships: readonly RelationshipRow[]
  readonly links: readonly { readonly source: string; readonly target: number; readonly link_type: string | null }[]
  readonly unifies: readonly UnifiesRow[]
  readonly relationship_count: number
  readonly link_count: number
  readonly unifies_count: number
}

/** The nodes and edges of a request, with a limit on the number of edges. */
export async function readNodes(ctx: Context, asked: Asked, mostEdges = MAX_EDGES): Promise<z.output<typeof result>> {
  const { consolidation } = asked
  const isUnified = consolidation === 'unified'
  const members = (table: string) =>
    isUnified ? membersOf(ctx, consolidation, table) : sql`select id, id as node from ${sql.table(table)}`
  const { rows } = await sql<Found>`
    with asked as materialized (
      select s.id, ${nodeOf(ctx, consolidation, sql`s.id`)} as node
      from (${seen(ctx, 'entities', asked.entities, consolidation)}) as s),
    given as materialized (
      select node as id, array_agg(id order by id) filter (where id <> node) as stands_for from asked group by node),
    given_observables as materialized (${seen(ctx, 'observables', asked.observables)}),
    every as materialized (
      select id from given union
      select ${nodeOf(ctx, consolidation, sql`s.id`)}
      from (${seen(ctx, 'entities', asked.known_entities, consolidation)}) as s),
    every_observable as materialized (
      select id from given_observables union ${seen(ctx, 'observables', asked.known_observables)}),
    near as materialized (${members('given')}),
    far as materialized (${members('every')}),
    joined as materialized (${merged(isUnified, between(ctx))}),
    linked as materialized (
      select b.source, b.target, (array_agg(b.link_type order by b.is_own desc, b.link_type))[1] as link_type
      from (
        select g.node as source, l.target, l.link_type, g.id = g.node as is_own
        from near as g join entity_observables as l on l.source = g.id join every_observable as o on o.id = l.target
        union all
        select e.node, l.target, l.link_type, e.id = e.node
        from given_observables as g join entity_observables as l on l.target = g.id join far as e on e.id = l.source
      ) as b
      group by b.source, b.target
    ),
    unifying as materialized (
      select m.unified as source, m.entity as target
      from ${memberships(ctx)} as m
      where m.unified in (select id from every) and m.entity in (select id from every)
        and (m.unified in (select id from given) or m.entity in (select id from given))
    )
    select
      (select count(*) from joined)::integer as relationship_count,
      (select count(*) from linked)::integer as link_count,
      (select count(*) from unifying)::integer as unifies_count,
      ${listOf(sql`
        select ${entityColumns}, t.created_at, t.observed as observed_at, t.is_unified, g.stands_for
        from given as g join entities as t on t.id = g.id order by t.id`)} as entities,
      ${listOf(sql`
        select ${observableColumns(ctx)}, ${createdAt(ctx, 'o')} as created_at
        from given_observables as g join observables as o on o.id = g.id order by o.id`)} as observables,
      ${listOf(sql`select * from joined order by id limit ${mostEdges}`)} as relationships,
      ${listOf(sql`select * from linked order by source, target limit ${mostEdges}`)} as links,
      ${listOf(sql`select source, target from unifying order by source, target limit ${mostEdges}`)} as unifies`.execute(
    ctx.db,
  )
  return answerOf(ctx, rows[0], mostEdges)
}

/** The relationships between given nodes and all that are known, with their ends as nodes. */
const between = (ctx: Context): RawBuilder<unknown> => sql`
  select r.id, g.node as source, e.node as target, r.key, r.subtype
  from near as g join relationships as r on r.source = g.id join far as e on e.id = r.target
  where ${holdsAnyKey(ctx, sql`r.vis`)}
  union
  select r.id, e.node, g.node, r.key, r.subtype
  from near as g join relationships as r on r.target = g.id join far as e on e.id = r.source
  where ${holdsAnyKey(ctx, sql`r.vis`)}`

/** Those that look the same as one edge. What contributors of the same unified entity have to do with each other is none. */
const merged = (isUnified: boolean, rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  isUnified
    ? sql`
      select (array_agg(r.id order by r.id))[1] as id, r.source, r.target, r.key, r.subtype,
        array_agg(r.id order by r.id) as relationships
      from (${rows}) as r
      where r.source <> r.target
      group by r.source, r.target, r.key, r.subtype`
    : rows

function answerOf(ctx: Context, found: Found | undefined, mostEdges: number): z.output<typeof result> {
  if (!found) return { nodes: [], edges: [], total_edge_count: 0, is_complete: true }
  const edges = [
    ...found.relationships.map((row) => showRelationship(ctx, row)),
    ...found.links.map((link) => ({ kind: 'observable' as const, ...link })),
    ...found.unifies.map(showUnifies),
  ].slice(0, mostEdges)
  const total_edge_count = found.relationship_count + found.link_count + found.unifies_count
  return {
    nodes: [
      ...found.entities.map((row) => ({
        ...showEntity(ctx, row),
        created_at: row.created_at,
        observed_at: row.observed_at,
        is_unified: row.is_unified,
        ...(row.stands_for && { stands_for: [...row.stands_for] }),
      })),
      ...found.observables.map((row) => ({ ...showObservable(ctx, row), created_at: row.created_at })),
    ],
    edges,
    total_edge_count,
    is_complete: edges.length === total_edge_count,
  }
}

const seen = (
  ctx: Context,
  collection: 'entities' | 'observables',
  ids: Asked['entities'],
  consolidation: Consolidation = 'all',
): RawBuilder<unknown> => sql`
  select t.id from ${sql.table(collection)} as t
  where t.id = any(${ids}::${sql.raw(collection === 'entities' ? 'uuid' : 'integer')}[])
    and ${visible(ctx, resourceOf(ctx, collection))} and ${mayBeNode(consolidation)}`

const listOf = (rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select coalesce(json_agg(x), '[]') from (${rows}) as x)`
