import type { Page } from '../../engine/definition.ts'
import { project } from '../../engine/present.ts'
import type { Route } from '../../engine/route.ts'
import { answerPage } from '../../engine/routes.ts'
import { type Described, describeOperation } from '../../http/openapi/describe.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { type CoveragePlan, coverageParameters, readCoverage } from './coverage-parameters.ts'
import { listEvidence } from './evidence.ts'
import { type EvidencePlan, evidenceParameters, readEvidence } from './evidence-parameters.ts'
import { type Gaps, gaps, gapsOf } from './gaps.ts'
import { type Heat, heat, heatOf } from './heat.ts'
import { type HeatPlan, heatParameters, readHeat } from './heat-parameters.ts'

const heatDoc: Described = {
  operationId: 'get_attack_heat',
  summary: 'Count the entities that are classified with each node of an attack framework',
  tag: 'attacks',
  query: heatParameters,
  success: { 200: heat },
  refusals: [400, 422],
}

/** How much the caller sees of each technique. */
const readHeatOfMatrix: Route<HeatPlan, Heat> = {
  method: 'GET',
  path: '/attacks/heat',
  permission: 'read attack',
  doc: heatDoc,
  parse: ({ query }) => readHeat(query),
  guards: () => ['read entities'],
  run: heatOf,
  answer: (body) => ({ status: 200, body }),
}

const coverageDoc: Described = {
  operationId: 'get_attack_coverage',
  summary: 'Rank the techniques of an attack framework by what they threaten and what is not defended',
  tag: 'attacks',
  query: coverageParameters,
  success: { 200: gaps },
  refusals: [400, 422],
}

/** What the caller sees of each technique, how well it is covered, and the gap between the two. */
const readCoverageOfMatrix: Route<CoveragePlan, Gaps> = {
  method: 'GET',
  path: '/attacks/coverage',
  permission: 'read attack',
  doc: coverageDoc,
  parse: ({ query }) => readCoverage(query),
  guards: () => ['read entities'],
  run: gapsOf,
  answer: ({ data, ...rest }, _, { attributes }) => ({
    status: 200,
    body: { data: data.map((technique) => project(technique, attributes)), ...rest },
  }),
}

const evidenceDoc: Described = {
  ...describeOperation({ resource: entities, verb: 'list' }),
  operationId: 'list_attack_entities',
  summary: 'List the entities that count for a node of an attack framework',
  tag: 'attacks',
  query: evidenceParameters,
  refusals: [400, 404, 422],
}

/** The entities behind a number of a heat with the same parameters. The node decides on the matrix. */
const listEntitiesOfNode: Route<EvidencePlan, Page> = {
  method: 'GET',
  path: '/attacks/:id/entities',
  permission: 'read attack',
  doc: evidenceDoc,
  parse: readEvidence,
  guards: () => ['read entities'],
  run: listEvidence,
  answer: (page, ctx, { list }) => answerPage(ctx, entities, page, list),
}

/** What reads entities by the nodes of attack frameworks. */
export const heatRoutes: readonly Route[] = [readHeatOfMatrix, readCoverageOfMatrix, listEntitiesOfNode]
