import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { defineAction } from '../engine/action.ts'
import type { Context } from '../engine/context.ts'
import type { Route } from '../engine/route.ts'
import { resourceOf, visible } from '../engine/select.ts'
import { READ_OBSERVABLES, requireVisible } from '../intelligence/relational/body-references.ts'
import { idOf, via } from '../intelligence/relational/step-fields.ts'
import { graphConsolidation, nodesOf } from './consolidated.ts'
import {
  type EntityRow,
  entityColumns,
  entityNode,
  observableNode,
  relationshipEdge,
  showEntity,
  unifiesEdge,
} from './nodes.ts'
import { readRelationships, readShared, readUnifying, SHOWN_OBSERVABLES } from './path-edges.ts'
import { searchPaths } from './path-search.ts'

const body = z
  .object({
    from: idOf('entities'),
    to: idOf('entities'),
    max_length: z.int().min(1).max(6).default(4),
    via: via.default('relationships'),
    limit: z.int().min(1).max(100).default(20),
    consolidation: graphConsolidation,
  })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must differ from `from`' })

const sharedEdge = z.object({
  kind: z.literal('shared'),
  source: z.uuid(),
  target: z.uuid(),
  count: z.int().describe('The number of observables that the two share.'),
  observables: z.array(observableNode).describe(`The first ${SHOWN_OBSERVABLES} of them.`),
})

const result = z.object({
  paths: z.array(
    z.object({
      length: z.int(),
      entities: z.array(z.uuid()).describe('From one end to the other, without repetition.'),
    }),
  ),
  nodes: z.array(entityNode),
  edges: z
    .array(z.union([relationshipEdge, sharedEdge, unifiesEdge]))
    .describe('All connections between neighbours in a path.'),
  searched_length: z.int().describe('The response contains every path up to this length.'),
  is_complete: z.boolean().describe('Whether the response contains every path up to `max_length`.'),
})

const action = defineAction({
  name: 'find_paths',
  doc: 'Find how two entities are connected; shortest paths first, ignoring the direction of relationships',
  tag: 'graph',
  method: 'POST',
  path: '/graph/paths',
  permission: 'read entities',
  // Only reads, so no transaction is needed.
  isDetached: true,
  body,
  example: { from: '018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a11', to: '018f2b1e-0f4b-7c39-9d4b-0c5a5f6b8a12', max_length: 4 },
  result,
  run: (ctx, input) => connect(ctx, input),
})

/** Finds how two entities are connected. */
export const findPaths: Route = {
  ...action,
  guards: ({ input }: { input: z.output<typeof body> }) => (input.via === 'relationships' ? [] : [READ_OBSERVABLES]),
}

async function connect(ctx: Context, input: z.output<typeof body>): Promise<z.output<typeof result>> {
  const { via, max_length, limit, consolidation } = input
  const given = [String(input.from), String(input.to)]
  await requireVisible(ctx, 'entities', [
    { at: 'from', id: input.from },
    { at: 'to', id: input.to },
  ])
  const [from = '', to = ''] = await nodesOf(ctx, consolidation, given)
  // Both contribute to the same unified entity.
  if (from === to) return { paths: [], nodes: [], edges: [], searched_length: max_length, is_complete: true }
  const question = { from, to, via, longest: max_length, limit, consolidation }
  const { paths, searched, isComplete } = await searchPaths(ctx, question)
  const pairs = pairsIn(paths)
  return {
    paths: paths.map((entities) => ({ length: entities.length - 1, entities })),
    nodes: await readEntities(ctx, [...new Set(paths.flat())]),
    edges: [
      ...(via === 'observables' ? [] : await readRelationships(ctx, pairs, consolidation)),
      ...(via === 'relationships' ? [] : await readShared(ctx, pairs, consolidation)),
      ...(via === 'observables' || consolidation === 'unified' ? [] : await readUnifying(ctx, pairs)),
    ],
    searched_length: searched,
    is_complete: isComplete,
  }
}

/** The neighbours in the paths, each pair once and in one order, as a table of `a` and `b`. */
function pairsIn(paths: readonly (readonly string[])[]): RawBuilder<unknown> {
  const pairs = new Map<string, [string, string]>()
  for (const path of paths) {
    for (const [i, next] of path.slice(1).entries()) {
      const here = path[i] ?? next
      const [a, b] = here < next ? [here, next] : [next, here]
      pairs.set(`${a} ${b}`, [a, b])
    }
  }
  const list = [...pairs.values()]
  return sql`select a, b from unnest(${list.map(([a]) => a)}::uuid[], ${list.map(([, b]) => b)}::uuid[]) as p(a, b)`
}

async function readEntities(ctx: Context, ids: readonly string[]) {
  const { rows } = await sql<EntityRow>`
    select ${entityColumns} from entities as t
    where t.id = any(${ids}::uuid[]) and ${visible(ctx, resourceOf(ctx, 'entities'))}
    order by t.id`.execute(ctx.db)
  return rows.map((row) => showEntity(ctx, row))
}
