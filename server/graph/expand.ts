import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import type { Route } from '../engine/route.ts'
import { idsOf, READ_OBSERVABLES, requireVisible, withPositions } from '../intelligence/relational/body-references.ts'
import { direction, keys, types, via } from '../intelligence/relational/step-fields.ts'
import { graphConsolidation } from './consolidated.ts'
import { findExpansion } from './expansion.ts'
import {
  entityNode,
  observableEdge,
  observableNode,
  relationshipEdge,
  showEntity,
  showObservable,
  showRelationship,
  showUnifies,
  unifiesEdge,
} from './nodes.ts'

const MAX_GIVEN_NODES = 1000
const MAX_NODES = 5000
const MAX_EDGES = 20_000

const body = z
  .object({
    entities: idsOf('entities', MAX_GIVEN_NODES),
    observables: idsOf('observables', MAX_GIVEN_NODES),
    direction: direction.default('any'),
    keys: keys.optional(),
    entity_types: types.optional(),
    via: via.default('relationships'),
    limit: z.int().min(1).max(MAX_NODES).default(500),
    consolidation: graphConsolidation,
  })
  .refine(({ entities, observables }) => entities.length + observables.length > 0, 'requires entities or observables')
  .refine(
    ({ entities, observables }) => entities.length + observables.length <= MAX_GIVEN_NODES,
    `must have at most ${MAX_GIVEN_NODES} entities and observables in total`,
  )

export type Expansion = z.output<typeof body>

const result = z.object({
  nodes: z.array(z.union([entityNode, observableNode])).describe('The nodes reached, without the given ones.'),
  edges: z.array(z.union([relationshipEdge, observableEdge, unifiesEdge])),
  total_count: z.int().describe('The number of nodes reached.'),
  total_edge_count: z.int().describe('The number of edges between the given and the returned nodes.'),
  is_complete: z.boolean().describe('Whether the response contains all nodes and edges.'),
})

const action = defineAction({
  name: 'expand_graph',
  doc: 'Expand many entities and observables by one step; the nodes with the most edges come first',
  tag: 'graph',
  method: 'POST',
  path: '/graph/expand',
  permission: 'read entities',
  // Only reads, so no transaction is needed.
  isDetached: true,
  body,
  example: { entities: ['018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11'], direction: 'any', via: 'both', limit: 500 },
  result,
  run: (ctx, input) => expand(ctx, input),
})

/** Expands many nodes by one step. Given observables lead to their entities; `via` selects what entities lead to. */
export const expandGraph: Route = {
  ...action,
  guards: ({ input }: { input: Expansion }) =>
    input.via !== 'relationships' || input.observables.length > 0 ? [READ_OBSERVABLES] : [],
}

async function expand(ctx: Context, input: Expansion): Promise<z.output<typeof result>> {
  await requireVisible(ctx, 'entities', withPositions('entities', input.entities))
  await requireVisible(ctx, 'observables', withPositions('observables', input.observables))
  const { entities, observables, relationships, links, unifies, total_count, total_edge_count } = await findExpansion(
    ctx,
    input,
    MAX_EDGES,
  )
  const nodes = [
    ...entities.map((row) => ({ position: row.position, node: showEntity(ctx, row) })),
    ...observables.map((row) => ({ position: row.position, node: showObservable(ctx, row) })),
  ].sort((a, b) => a.position - b.position)
  const edges = [
    ...relationships.map((row) => showRelationship(ctx, row)),
    ...links.map((link) => ({ kind: 'observable' as const, ...link })),
    ...unifies.map(showUnifies),
  ]
  return {
    nodes: nodes.map(({ node }) => node),
    edges,
    total_count,
    total_edge_count,
    is_complete: nodes.length === total_count && edges.length === total_edge_count,
  }
}
