import { sql } from 'kysely'
import { z } from 'zod'
import { parseTimestamp } from '../../domain/timestamp.ts'
import type { Context } from '../../engine/context.ts'
import { resourceOf, visible } from '../../engine/select.ts'
import { MATRICES, type NODE_STATES } from '../frameworks/framework.ts'
import { type Cells, findCells, type Key } from './cells.ts'
import { AGGREGATES, HEAT_KINDS, type HeatPlan } from './heat-parameters.ts'

const counted = z.object({
  id: z.string(),
  count: z.int().describe('The number of entities that count for the node itself.'),
  score: z
    .number()
    .describe(
      'The number of entities, or by recency the sum of their weights, with what flows in from sub-techniques.',
    ),
  by: z.record(z.string(), z.int()).optional().describe('The number of entities by source, type or dataset.'),
})
type Counted = z.output<typeof counted>

/** What entities are classified with that is no live node of the matrix. */
export const outside = counted.extend({
  state: z.enum(['revoked', 'deprecated', 'unknown'] satisfies ((typeof NODE_STATES)[number] | 'unknown')[]),
  successors: z.array(z.string()).describe('The live nodes that took its place.'),
})

export const heat = z.object({
  data: z.array(counted).describe('The live nodes that have a count or a score, by their ids.'),
  outside: z
    .array(outside)
    .describe('What entities are classified with that is not live: dead nodes of this matrix, and unknown ids.'),
  total_count: z.int().describe('The number of entities that count, classified or not.'),
  matrix: z.enum(MATRICES),
  by: z.enum(HEAT_KINDS),
  aggregate: z.enum(AGGREGATES),
  names: z.record(z.string(), z.string()).optional().describe('The names of the sources or datasets.'),
  at: z.string().describe('The time that ages are counted from.'),
})
export type Heat = z.output<typeof heat>

/** How many of the entities that the caller sees count for each node of a matrix. */
export async function heatOf(asked: Context, plan: HeatPlan): Promise<Heat> {
  const { matrix, by, aggregate, list } = plan
  const ctx = { ...asked, at: list.at }
  const found = await findCells(ctx, plan)
  const { groupsOf, names } = await groupsFor(ctx, plan, found)
  const nodes = collect(found, plan, groupsOf)
  const stateOf = ({ id }: Counted) => found.nodes[id]?.state ?? 'unknown'
  const live = nodes.filter((node) => stateOf(node) === 'live')
  return {
    data: inOrder(flow(live, found, aggregate)),
    outside: inOrder(nodes).flatMap((node) => {
      const state = stateOf(node)
      return state === 'live' ? [] : [{ ...node, state, successors: [...(found.nodes[node.id]?.successors ?? [])] }]
    }),
    total_count: found.total,
    matrix,
    by,
    aggregate,
    ...(names && { names }),
    at: parseTimestamp(list.at) ?? list.at,
  }
}

/** How keys are shown in the response. */
interface Groups {
  readonly groupsOf: (key: Key) => readonly string[]
  readonly names?: Readonly<Record<string, string>>
}

async function groupsFor(ctx: Context, { by, datasets }: HeatPlan, { cells }: Cells): Promise<Groups> {
  if (by === 'type') return { groupsOf: (key) => [String(key)] }
  if (by === 'dataset') {
    const { rows } = await sql<{ id: number; name: string }>`
      select t.id, t.name from datasets as t
      where t.id = any(${datasets}::integer[]) and ${visible(ctx, resourceOf(ctx, 'datasets'))}`.execute(ctx.db)
    const names = Object.fromEntries(rows.map(({ id, name }) => [id, name]))
    return { names, groupsOf: (key) => (Array.isArray(key) ? key.map(String) : []) }
  }
  if (by !== 'source') return { groupsOf: () => [] }
  const { rows } = await sql<{ number: number; id: string; name: string }>`
    select n.number, s.id, s.name from numbered_sources as n join sources as s on s.id = n.id
    where n.number = any(${[...new Set(cells.map(([, key]) => key))]}::integer[])`.execute(ctx.db)
  const byNumber = new Map(rows.map(({ number, id }) => [number, id]))
  return {
    names: sorted(Object.fromEntries(rows.map(({ id, name }) => [id, name]))),
    groupsOf: (key) => [byNumber.get(Number(key)) ?? 'unknown'],
  }
}

/** Adds up the cells of each node. */
function collect({ cells }: Cells, { by }: HeatPlan, groupsOf: Groups['groupsOf']): Counted[] {
  const nodes = new Map<string, Counted>()
  const isSplit = by !== 'count' && by !== 'recency'
  for (const [id, key, count, weight] of cells) {
    const node = nodes.get(id) ?? { id, count: 0, score: 0, ...(isSplit && { by: {} }) }
    node.count += count
    node.score += by === 'recency' ? weight : count
    for (const group of groupsOf(key)) if (node.by) node.by[group] = (node.by[group] ?? 0) + count
    nodes.set(id, node)
  }
  return [...nodes.values()].map(({ by: parts, ...node }) => (parts ? { ...node, by: sorted(parts) } : node))
}

/** The same response for the same data, in whatever order the database adds it up. */
const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Lets the scores of sub-techniques flow into their technique, which may have none of its own. */
function flow(live: readonly Counted[], { nodes }: Cells, aggregate: HeatPlan['aggregate']): Counted[] {
  if (aggregate === 'none') return [...live]
  const all = new Map(live.map((node) => [node.id, { ...node }]))
  for (const { id, score, by } of live) {
    const { type, parent = null } = nodes[id] ?? {}
    if (type !== 'subtechnique' || parent === null) continue
    const technique = all.get(parent) ?? { id: parent, count: 0, score: 0, ...(by && { by: {} }) }
    technique.score = aggregate === 'sum' ? technique.score + score : Math.max(technique.score, score)
    all.set(parent, technique)
  }
  return [...all.values()]
}

const inOrder = (nodes: readonly Counted[]): Counted[] => nodes.toSorted((a, b) => (a.id < b.id ? -1 : 1))
