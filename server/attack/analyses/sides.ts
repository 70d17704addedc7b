import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { idOf } from '../../intelligence/relational/step-fields.ts'
import { readNodes } from '../classification/nodes.ts'
import { heatOf } from '../heat/heat.ts'
import type { HeatPlan } from '../heat/heat-parameters.ts'
import { type Analysis, readAnalysis, within } from './analysis.ts'
import type { KeptLayer } from './layers/layer.ts'
import { markedNodes } from './layers/scored-nodes.ts'

const MAX_ENTITIES = 1000

const entities = z.array(idOf('entities')).min(1).max(MAX_ENTITIES)
const number = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(z.int().max(2 ** 31 - 1))

/** One side of a comparison: everything, some entities, a dataset, an analysis, or the layer of an analysis. */
export type Side =
  | { readonly kind: 'all' }
  | { readonly kind: 'entities'; readonly ids: readonly Id[] }
  | { readonly kind: 'dataset'; readonly id: number }
  | { readonly kind: 'analysis' | 'layer'; readonly id: number }

const FORMS = 'must be all, analysis:<id>, layer:<id>, dataset:<id> or entities:<id>,<id>'

/** Reads a side of a comparison from a parameter. */
export const side = z.string().transform((text, check): Side => {
  const colon = text.indexOf(':')
  const kind = colon < 0 ? text : text.slice(0, colon)
  const value = text.slice(colon + 1)
  if (text === 'all') return { kind: 'all' }
  if (kind === 'entities') {
    const ids = entities.safeParse(value.split(',').map((id) => id.trim()))
    if (ids.success) return { kind, ids: [...new Set(ids.data)] }
    const message = value.split(',').length > MAX_ENTITIES ? `must have at most ${MAX_ENTITIES} entities` : FORMS
    check.addIssue({ code: 'custom', message })
    return z.NEVER
  }
  const id = number.safeParse(value)
  if (id.success && (kind === 'dataset' || kind === 'analysis' || kind === 'layer')) return { kind, id: id.data }
  check.addIssue({ code: 'custom', message: FORMS })
  return z.NEVER
})

/** What one side has: numbers greater than 0 by the ids of live nodes. */
export interface Counted {
  readonly name: string | null
  /** The number of entities in the scope; null for a layer. */
  readonly total_count: number | null
  readonly nodes: ReadonlyMap<string, number>
}

/** Counts one side. Throws a 404 for an analysis that does not exist, and a 400 for one of another matrix or without a layer. */
export async function countSide(ctx: Context, name: string, side: Side, plan: HeatPlan): Promise<Counted> {
  if (side.kind === 'analysis' || side.kind === 'layer') return countAnalysis(ctx, name, side, plan)
  if (side.kind === 'all') return countEntities(ctx, null, plan)
  // Entities and datasets that the caller does not see are those that do not exist: they count nothing.
  const scope = side.kind === 'entities' ? { datasets: [], entities: side.ids } : { datasets: [side.id], entities: [] }
  return countEntities(ctx, null, { ...plan, scopes: [...plan.scopes, scope] })
}

async function countAnalysis(
  ctx: Context,
  name: string,
  { kind, id }: { readonly kind: string; readonly id: number },
  plan: HeatPlan,
): Promise<Counted> {
  const analysis = await readAnalysis(ctx, id)
  const { layer } = analysis.ui_metadata
  if (analysis.attack_matrix !== plan.matrix)
    throw badRequest(`${name}: the analysis is of ${analysis.attack_matrix}, not of ${plan.matrix}.`)
  if (layer && (kind === 'layer' || isUnbounded(analysis))) return countLayer(ctx, analysis.name, layer)
  if (kind === 'layer') throw badRequest(`${name}: no layer was imported into the analysis ${id}.`)
  return countEntities(ctx, analysis.name, within(analysis, plan))
}

const isUnbounded = ({ scope_datasets, scope_entities }: Analysis): boolean =>
  scope_datasets.length + scope_entities.length === 0

async function countLayer(ctx: Context, name: string, layer: KeptLayer): Promise<Counted> {
  return { name, total_count: null, nodes: markedNodes(await readNodes(ctx), layer) }
}

async function countEntities(ctx: Context, name: string | null, plan: HeatPlan): Promise<Counted> {
  const { data, total_count } = await heatOf(ctx, plan)
  return {
    name,
    total_count,
    nodes: new Map(data.filter(({ score }) => score > 0).map(({ id, score }) => [id, score])),
  }
}
