import type { Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import { type Gains, gains, gainsOf } from './gains.ts'
import { type GainsPlan, gainsParameters, readGains } from './gains-parameters.ts'

const doc: Described = {
  operationId: 'get_log_source_gains',
  summary: 'Rank log sources by what collecting them would open',
  tag: 'attack_defenses',
  query: gainsParameters,
  success: { 200: gains },
  refusals: [400, 422],
}

/** What to collect next. */
export const readLogSourceGains: Route<GainsPlan, Gains> = {
  method: 'GET',
  path: '/attack-defenses/log-sources/gains',
  permission: 'read attack',
  doc,
  parse: ({ query }) => readGains(query),
  guards: () => ['read entities'],
  run: gainsOf,
  answer: (body) => ({ status: 200, body }),
}
