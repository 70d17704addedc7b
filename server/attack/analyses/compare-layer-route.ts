import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { string } from '../../engine/field.ts'
import type { Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { isTechnique, type Nodes } from '../classification/nodes.ts'
import { readBy, refuseContradictions } from '../heat/heat-parameters.ts'
import { layerContext } from './analysis.ts'
import {
  type Comparison,
  type ComparisonPlan,
  compare,
  comparisonParameters,
  comparisonShape,
  STATES,
} from './compare-route.ts'
import { download, NAME, requireNavigator } from './layer-routes.ts'
import type { KeptLayer, LayerTechnique } from './layers/layer.ts'
import { placedAt } from './layers/remap-techniques.ts'
import { writeLayer } from './layers/write-layer.ts'
import { type WrittenLayer, writtenLayer } from './layers/written-layer.ts'

const parameters = z
  .object({ ...comparisonShape, state: z.enum(STATES).optional(), name: string(1, 500).optional() })
  .superRefine(refuseContradictions)

interface LayerPlan extends ComparisonPlan {
  readonly state?: (typeof STATES)[number] | undefined
  readonly name?: string | undefined
}

const doc: Described = {
  operationId: 'get_attack_comparison_layer',
  summary: 'Download a comparison as a layer for ATT&CK Navigator',
  tag: 'attack_analyses',
  query: [
    ...comparisonParameters,
    {
      name: 'state',
      schema: { type: 'string', enum: STATES },
      description: 'Only the techniques in this state. Without it, those of either side, in three colours.',
    },
    NAME,
  ],
  success: { 200: writtenLayer },
  refusals: [400, 404, 422],
}

/** The techniques of a comparison as a layer, such as those of an actor that a layer of detections does not have. */
export const compareLayer: Route<LayerPlan, WrittenLayer> = {
  method: 'GET',
  path: '/attack_analyses/compare/layer',
  permission: 'read attack',
  doc,
  parse: ({ query }) => {
    const { plan, parsed } = readBy(parameters, query)
    const { left, right, state, name } = parsed
    return { left, right, state, name, heat: plan }
  },
  guards: () => ['read entities'],
  run: layerOf,
  answer: (layer) => download(layer, undefined),
}

async function layerOf(ctx: Context, plan: LayerPlan): Promise<WrittenLayer> {
  const { matrix } = plan.heat
  requireNavigator(matrix)
  const context = await layerContext(ctx, matrix)
  return writeLayer(context, drawn(context.nodes, await compare(ctx, plan), plan))
}

const COLOURS = { left: '#6baed6', both: '#9e9ac8', right: '#fd8d3c' } as const

/** The colour says the state, and the score is that of both sides together. */
function drawn(
  nodes: Nodes,
  { matrix, left, right, nodes: compared }: Comparison,
  { state, name }: LayerPlan,
): KeptLayer {
  const names = { left: left.name ?? 'left side', right: right.name ?? 'right side' }
  const labels = { left: `Only ${names.left}`, both: 'Both', right: `Only ${names.right}` }
  const techniques = compared.flatMap((row): LayerTechnique[] => {
    const node = nodes.get(row.id)
    if (!node || !isTechnique(node) || (state && row.state !== state)) return []
    const comment = `${labels[row.state]}\n${names.left}: ${row.left}\n${names.right}: ${row.right}`
    const technique = { techniqueID: '', score: row.left + row.right, color: COLOURS[row.state], comment }
    return [placedAt(nodes, node, technique)]
  })
  return {
    name: name ?? `${matrix} comparison`,
    domain: matrix,
    description: `${names.left} compared with ${names.right}`,
    techniques,
    legendItems: STATES.filter((each) => !state || each === state).map((each) => ({
      label: labels[each],
      color: COLOURS[each],
    })),
    sorting: 3,
    layout: { layout: 'side', showID: false, showName: true, expandedSubtechniques: 'annotated' },
  }
}
