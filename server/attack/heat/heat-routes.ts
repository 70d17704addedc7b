import type { Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { type Heat, heat, heatOf } from './heat.ts'
import { type HeatPlan, heatParameters, readHeat } from './heat-parameters.ts'

const doc: Described = {
  operationId: 'get_attack_heat',
  summary: 'Count the entities that are classified with each node of an attack framework',
  tag: 'attacks',
  query: heatParameters,
  success: { 200: heat },
  refusals: [400, 422],
}

/** How much the caller sees of each technique. */
export const readAttackHeat: Route<HeatPlan, Heat> = {
  method: 'GET',
  path: '/attacks/heat',
  permission: 'read attack',
  doc,
  parse: ({ query }) => readHeat(query),
  guards: () => ['read entities'],
  run: heatOf,
  answer: (body) => ({ status: 200, body }),
}
