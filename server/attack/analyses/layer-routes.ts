import { z } from 'zod'
import { faultsOf, messageOf } from '../../engine/body.ts'
import type { Context } from '../../engine/context.ts'
import { ApiError, badRequest } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import { readId } from '../../engine/query.ts'
import type { Id } from '../../engine/reference.ts'
import type { Answer, Incoming, Route } from '../../engine/route.ts'
import { dispositionOf, filename } from '../../http/filename.ts'
import type { Described } from '../../http/openapi/describe.ts'
import type { Parameter } from '../../http/openapi/parameters.ts'
import type { Matrix } from '../frameworks/framework.ts'
import { gapsOf } from '../heat/gaps.ts'
import { heatOf } from '../heat/heat.ts'
import { choice, type HeatPlan, heatParameters, readHeat } from '../heat/heat-parameters.ts'
import { attackAnalyses } from './analyses.ts'
import { layerContext, readAnalysis, within, withoutMatrix } from './analysis.ts'
import { entityTitles } from './entity-titles.ts'
import { drawLayer, LAYER_KINDS, type LayerKind } from './layers/draw-layer.ts'
import { type LayerContext, writeLayer } from './layers/write-layer.ts'
import { type WrittenLayer, writtenLayer } from './layers/written-layer.ts'

const parameters = z.object({
  kind: z.enum(LAYER_KINDS).optional(),
  name: string(1, 500).optional(),
  titles: z
    .enum(['true', 'false', '1', '0'])
    .transform((text) => text === 'true' || text === '1')
    .default(true),
})

interface LayerPlan extends z.output<typeof parameters> {
  readonly heat: HeatPlan
}

const KIND: Parameter = choice(
  'kind',
  LAYER_KINDS,
  'What scores are: entities, how much is covered in percent, or what is used and not covered in percent.',
)
const TITLES: Parameter = {
  name: 'titles',
  schema: { type: 'boolean', default: true },
  description: 'Whether comments have the titles of up to ten entities.',
}
/** The parameter for the name of a layer. */
export const NAME: Parameter = {
  name: 'name',
  schema: { type: 'string', maxLength: 500 },
  description: 'The name of the layer.',
}

/** Parses the parameters of a layer, and reports all errors at once. */
function readPlan(query: Incoming['query']): LayerPlan {
  const single = Object.fromEntries(Object.entries(query).map(([name, texts]) => [name, texts.at(-1)]))
  const parsed = parameters.safeParse(single, { error: messageOf })
  const faults = parsed.success ? [] : faultsOf(parsed.error)
  try {
    const heat = readHeat(query)
    if (parsed.success) return { ...parsed.data, heat }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    faults.push(...error.details)
  }
  throw badRequest(faults)
}

const scopeDoc: Described = {
  operationId: 'get_attack_layer',
  summary: 'Download what is known about techniques as a layer for ATT&CK Navigator',
  tag: 'attacks',
  query: [...heatParameters, KIND, NAME, TITLES],
  success: { 200: writtenLayer },
  refusals: [400, 422],
}

/** The layer of any scope. */
const readLayerOfScope: Route<LayerPlan, WrittenLayer> = {
  method: 'GET',
  path: '/attacks/layer',
  permission: 'read attack',
  doc: scopeDoc,
  parse: ({ query }) => readPlan(query),
  guards: () => ['read entities'],
  run: async (ctx, plan) => {
    const { matrix } = plan.heat
    requireNavigator(matrix)
    const { kind = 'threat', name = `${matrix} ${kind}` } = plan
    return drawn(ctx, await layerContext(ctx, matrix), { ...plan, kind, name, description: '' })
  },
  answer: (layer, _, { kind = 'threat' }) => download(layer, kind),
}

const analysisDoc: Described = {
  operationId: 'get_attack_analysis_layer',
  summary: 'Download an analysis as a layer for ATT&CK Navigator',
  tag: 'attack_analyses',
  query: [
    ...withoutMatrix(heatParameters),
    {
      name: 'kind',
      schema: { type: 'string', enum: LAYER_KINDS },
      description: `${KIND.description} Without it, the layer that was imported, or \`threat\` if there is none.`,
    },
    NAME,
    TITLES,
  ],
  success: { 200: writtenLayer },
  refusals: [400, 404, 422],
}

/** The layer of an analysis: that which was imported, or one of what is known now. */
const readLayerOfAnalysis: Route<LayerPlan & { readonly id: Id }, WrittenLayer> = {
  method: 'GET',
  path: '/attack_analyses/:id/layer',
  permission: 'read attack',
  doc: analysisDoc,
  parse: ({ params, query }) => ({ id: readId(attackAnalyses, params.id ?? ''), ...readPlan(query) }),
  guards: () => ['read entities'],
  run: async (ctx, { id, ...plan }) => {
    const analysis = await readAnalysis(ctx, id)
    const { attack_matrix, ui_metadata, description } = analysis
    requireNavigator(attack_matrix)
    const context = await layerContext(ctx, attack_matrix, id)
    const { kind, name } = plan
    if (kind === undefined && ui_metadata.layer)
      return writeLayer(context, { ...ui_metadata.layer, ...(name && { name }) })
    const asked = { ...plan, kind: kind ?? 'threat', name: name ?? analysis.name, description }
    return drawn(ctx, context, { ...asked, heat: within(analysis, plan.heat) })
  },
  answer: (layer, _, { kind }) => download(layer, kind),
}

/** Throws a 400 for a matrix that ATT&CK Navigator does not have. */
export function requireNavigator(matrix: Matrix): void {
  if (matrix === 'DISARM')
    throw badRequest('DISARM is no domain of ATT&CK Navigator, so that there are no layers of it.')
}

interface Drawn extends LayerPlan {
  readonly kind: LayerKind
  readonly name: string
  readonly description: string
}

async function drawn(ctx: Context, context: LayerContext, plan: Drawn): Promise<WrittenLayer> {
  const { kind, heat: heatPlan } = plan
  const hasTitles = plan.titles && kind !== 'coverage'
  const [heat, gaps, titles] = await Promise.all([
    heatOf(ctx, heatPlan),
    gapsOf(ctx, { heat: heatPlan, kind: 'all', limit: null, attributes: null }),
    hasTitles ? entityTitles(ctx, heatPlan) : new Map<string, readonly string[]>(),
  ])
  return writeLayer(context, drawLayer({ ...plan, nodes: context.nodes, heat, gaps, titles }))
}

const MAX_FILENAME = 200

/** A layer as a file that is named after it. */
export function download(layer: WrittenLayer, kind: LayerKind | undefined): Answer {
  const name = filename.parse([...layer.name.replaceAll(/[\\/]/g, '-')].slice(0, MAX_FILENAME).join(''))
  const kindOf = kind === undefined || name.endsWith(kind) ? '' : ` ${kind}`
  return {
    status: 200,
    headers: { 'content-disposition': dispositionOf(`${name || 'layer'}${kindOf}.json`) },
    body: layer,
  }
}

export const layerRoutes: readonly Route[] = [readLayerOfScope, readLayerOfAnalysis]
