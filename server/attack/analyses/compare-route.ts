import { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import type { Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import type { Parameter } from '../../http/openapi/parameters.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { type HeatPlan, heatParameters, heatShape, readBy, refuseContradictions } from '../heat/heat-parameters.ts'
import { type Counted, countSide, type Side, side } from './sides.ts'

/** Which sides have a node. */
export const STATES = ['left', 'both', 'right'] as const

/** What the parameters of a comparison are parsed by. */
export const comparisonShape = { left: side, right: side, ...heatShape }

const parameters = z.object(comparisonShape).superRefine(refuseContradictions)

const shownSide = z.object({
  name: z.string().nullable().describe('Of the analysis; null for other sides.'),
  total_count: z.int().nullable().describe('The number of entities that count; null for a layer.'),
  nodes: z.int().describe('The number of nodes that the side has.'),
})

const compared = z.object({
  id: z.string(),
  left: z.number().describe('The score of the left side; 0 if it does not have the node.'),
  right: z.number(),
  state: z.enum(STATES),
})

const comparison = z.object({
  matrix: z.enum(MATRICES),
  left: shownSide,
  right: shownSide,
  nodes: z.array(compared).describe('The live nodes that a side has, by their ids.'),
})
export type Comparison = z.output<typeof comparison>

const FORM = '`all`, `analysis:<id>`, `layer:<id>`, `dataset:<id>` or `entities:<id>,<id>`.'
const isOfScope = ({ name }: Parameter): boolean => name === 'dataset' || name === 'entities'

/** The parameters of a comparison. */
export const comparisonParameters: readonly Parameter[] = [
  { name: 'left', schema: { type: 'string' }, description: `One side: ${FORM}`, isRequired: true },
  { name: 'right', schema: { type: 'string' }, description: 'The other side, in the same form.', isRequired: true },
  ...heatParameters.filter((parameter) => !isOfScope(parameter)),
]

const doc: Described = {
  operationId: 'compare_attack_analyses',
  summary: 'Compare what two scopes have in an attack framework',
  tag: 'attack_analyses',
  query: comparisonParameters,
  success: { 200: z.object({ data: comparison }) },
  refusals: [400, 404, 422],
}

export interface ComparisonPlan {
  readonly left: Side
  readonly right: Side
  readonly heat: HeatPlan
}

/** Which techniques only one side has, and which both have. */
export const compareAnalyses: Route<ComparisonPlan, Comparison> = {
  method: 'GET',
  path: '/attack_analyses/compare',
  permission: 'read attack',
  doc,
  parse: ({ query }) => {
    const { plan, parsed } = readBy(parameters, query)
    return { left: parsed.left, right: parsed.right, heat: plan }
  },
  guards: () => ['read entities'],
  run: compare,
  answer: (data) => ({ status: 200, body: { data } }),
}

/** Compares two sides by their scores. */
export async function compare(ctx: Context, { left, right, heat }: ComparisonPlan): Promise<Comparison> {
  const sides = [await countSide(ctx, 'left', left, heat), await countSide(ctx, 'right', right, heat)] as const
  const ids = [...new Set(sides.flatMap(({ nodes }) => [...nodes.keys()]))].sort()
  return {
    matrix: heat.matrix,
    left: shown(sides[0]),
    right: shown(sides[1]),
    nodes: ids.map((id) => {
      const [a = 0, b = 0] = sides.map(({ nodes }) => nodes.get(id) ?? 0)
      return { id, left: a, right: b, state: a > 0 && b > 0 ? 'both' : a > 0 ? 'left' : 'right' }
    }),
  }
}

const shown = ({ name, total_count, nodes }: Counted) => ({ name, total_count, nodes: nodes.size })
