import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { readId } from '../../engine/query.ts'
import { type Id, toUrl } from '../../engine/reference.ts'
import type { Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { readNodes } from '../classification/nodes.ts'
import { gaps, gapsOf } from '../heat/gaps.ts'
import { heat, heatOf } from '../heat/heat.ts'
import { type HeatPlan, heatParameters, readHeat } from '../heat/heat-parameters.ts'
import { attackAnalyses } from './analyses.ts'
import { readAnalysis, readNotes, within, withoutMatrix } from './analysis.ts'
import { layerNodes } from './layers/scored-nodes.ts'

const note = z.object({ id: z.int(), attack_annotation: z.url(), attack_node: z.string(), content: z.string() })

const layerNode = z.object({
  id: z.string(),
  score: z.number().nullable(),
  color: z.string().describe('Empty for the colour that the score has in the gradient.'),
  enabled: z.boolean(),
})

const result = z.object({
  heat: heat.describe('The same as the heat of the scope.'),
  coverage: gaps.describe('The same as the coverage of the scope.'),
  annotations: z.array(note).describe('In the order of their nodes.'),
  layer: z
    .object({ name: z.string(), nodes: z.array(layerNode).describe('The live nodes that the layer has.') })
    .nullable()
    .describe('What the imported layer says; null if there is none.'),
})

type Result = z.output<typeof result>

const doc: Described = {
  operationId: 'get_attack_analysis_result',
  summary: 'Read what an analysis of an attack framework shows',
  tag: 'attack_analyses',
  query: withoutMatrix(heatParameters),
  success: { 200: z.object({ data: result }) },
  refusals: [400, 404, 422],
}

interface ResultPlan {
  readonly id: Id
  readonly heat: HeatPlan
}

/** Everything about an analysis that its page shows, in one response. */
export const readResult: Route<ResultPlan, Result> = {
  method: 'GET',
  path: '/attack_analyses/:id/result',
  permission: 'read attack',
  doc,
  parse: ({ params, query }) => ({ id: readId(attackAnalyses, params.id ?? ''), heat: readHeat(query) }),
  guards: () => ['read entities'],
  run: resultOf,
  answer: (data) => ({ status: 200, body: { data } }),
}

async function resultOf(ctx: Context, { id, heat: asked }: ResultPlan): Promise<Result> {
  const analysis = await readAnalysis(ctx, id)
  const plan = within(analysis, asked)
  const [found, coverage, notes, nodes] = await Promise.all([
    heatOf(ctx, plan),
    gapsOf(ctx, { heat: plan, kind: 'all', limit: null, attributes: null }),
    readNotes(ctx, id),
    readNodes(ctx),
  ])
  const { layer } = analysis.ui_metadata
  return {
    heat: found,
    coverage,
    annotations: notes.map((each) => ({
      ...each,
      attack_annotation: toUrl(ctx.baseUrl, 'attack_annotations', each.id),
    })),
    layer: layer
      ? {
          name: layer.name,
          nodes: layerNodes(nodes, layer).map(({ node, technique: { score, color, enabled } }) => ({
            id: node.id,
            score: score ?? null,
            color: color ?? '',
            enabled: enabled ?? true,
          })),
        }
      : null,
  }
}
