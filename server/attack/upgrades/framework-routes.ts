import { sql } from 'kysely'
import { z } from 'zod'
import { parseBody } from '../../engine/action.ts'
import { badRequest, conflict, notFound } from '../../engine/errors.ts'
import { string } from '../../engine/field.ts'
import { parseId } from '../../engine/reference.ts'
import type { Incoming, Route } from '../../engine/route.ts'
import type { Described } from '../../http/openapi/describe.ts'
import type { Parameter } from '../../http/openapi/parameters.ts'
import { MATRICES } from '../frameworks/framework.ts'
import { framework, listFrameworks } from './list-frameworks.ts'
import { loadPreview, undoLoad } from './load.ts'
import { LOAD_STATES, listLoads, load, type Wanted } from './loads.ts'
import { previewFramework, type ReportedLoad, reported, reportedLoad } from './preview-route.ts'
import { decide, REVIEW_STATES, type Review, review, seenReviews, type WantedReviews } from './reviews.ts'

const TAG = 'attacks'
const PATH = '/attacks/frameworks'

const listOf = (item: z.ZodType) => z.object({ data: z.array(item), count: z.int() })
const listed = <T>(data: readonly T[]) => ({ status: 200, body: { data, count: data.length } })
const wrapped = <T>(data: T) => ({ status: 200, body: { data } })

const parameter = (name: string, values: readonly string[], description: string): Parameter => ({
  name: `filter[${name}]`,
  schema: { type: 'array', items: { type: 'string', enum: values } },
  description,
})
const loadParameter: Parameter = {
  name: 'filter[load]',
  schema: { type: 'integer' },
  description: 'Only of this load.',
}

const doc = (
  operationId: string,
  summary: string,
  success: Described['success'],
  more: Partial<Described> = {},
): Described => ({ operationId, summary, tag: TAG, query: [], success, ...more })

const list: Route<null, unknown[]> = {
  method: 'GET',
  path: PATH,
  permission: 'read attack',
  doc: doc('list_attack_frameworks', 'List the attack frameworks', { 200: listOf(framework) }),
  parse: () => null,
  run: (ctx) => listFrameworks(ctx),
  answer: listed,
}

const listAllLoads: Route<Wanted, unknown[]> = {
  method: 'GET',
  path: `${PATH}/loads`,
  permission: 'read attack',
  doc: doc(
    'list_attack_framework_loads',
    'List the latest loads of attack frameworks, without their reports',
    { 200: listOf(load) },
    {
      query: [
        parameter('matrix', MATRICES, 'Only of these matrices.'),
        parameter('state', LOAD_STATES, 'Only in these states.'),
      ],
      refusals: [400],
    },
  ),
  parse: ({ query }) => {
    const faults: string[] = []
    const matrices = chosen(query, 'matrix', MATRICES, faults)
    const states = chosen(query, 'state', LOAD_STATES, faults)
    if (faults.length > 0) throw badRequest(faults)
    return { ...(matrices && { matrices }), ...(states && { states }) }
  },
  run: (ctx, wanted) => listLoads(ctx, wanted),
  answer: listed,
}

const getLoad: Route<number, ReportedLoad> = {
  method: 'GET',
  path: `${PATH}/loads/:id`,
  permission: 'read attack',
  doc: doc(
    'get_attack_framework_load',
    'Get a load of an attack framework with its report',
    { 200: z.object({ data: reportedLoad }) },
    { refusals: [400, 404] },
  ),
  parse: idIn,
  run: (ctx, id) => reported(ctx, id),
  answer: wrapped,
}

const removePreview: Route<number, undefined> = {
  method: 'DELETE',
  path: `${PATH}/loads/:id`,
  permission: 'modify attack',
  doc: doc(
    'delete_attack_framework_load',
    'Delete the preview of a version of an attack framework',
    { 204: null },
    { refusals: [400, 404, 409] },
  ),
  parse: idIn,
  run: async ({ db }, id) => {
    const { rows } = await sql<{ state: string }>`
      select state from framework_loads where id = ${id} for update`.execute(db)
    if (!rows[0]) throw notFound(id)
    if (rows[0].state !== 'preview') throw conflict('Only previews can be deleted. Undo the load instead.')
    await sql`delete from framework_loads where id = ${id}`.execute(db)
    return undefined
  },
  answer: () => ({ status: 204 }),
}

const toLoad = z.object({
  load: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
})

const loadVersion: Route<number, ReportedLoad> = {
  method: 'POST',
  path: `${PATH}/load`,
  permission: 'modify attack',
  doc: doc(
    'load_attack_framework',
    'Load a version of an attack framework that was previewed, and re-map what uses nodes that it revokes',
    { 200: z.object({ data: reportedLoad }) },
    { body: z.object({ data: toLoad }), example: { data: { load: 1 } }, refusals: [400, 404, 409] },
  ),
  parse: ({ body }) => parseBody(toLoad, body).load,
  run: async (ctx, id) => {
    await loadPreview(ctx, id)
    return reported(ctx, id)
  },
  answer: wrapped,
}

const undo: Route<number, ReportedLoad> = {
  method: 'POST',
  path: `${PATH}/loads/:id/undo`,
  permission: 'modify attack',
  doc: doc(
    'undo_attack_framework_load',
    'Go back to the version before a load, and take back what it re-mapped',
    { 200: z.object({ data: reportedLoad }) },
    { refusals: [400, 404, 409] },
  ),
  parse: idIn,
  run: async (ctx, id) => {
    await undoLoad(ctx, id)
    return reported(ctx, id)
  },
  answer: wrapped,
}

const listReviews: Route<WantedReviews, Review[]> = {
  method: 'GET',
  path: `${PATH}/reviews`,
  permission: 'read attack',
  doc: doc(
    'list_attack_framework_reviews',
    'List the nodes with several successors, of which users choose',
    { 200: listOf(review) },
    { query: [parameter('state', REVIEW_STATES, 'Default: open.'), loadParameter], refusals: [400] },
  ),
  parse: ({ query }) => {
    const faults: string[] = []
    const states = chosen(query, 'state', REVIEW_STATES, faults) ?? ['open']
    const named = query['filter[load]']?.at(-1)
    const id = named === undefined ? undefined : parseId('integer', named)
    if (named !== undefined && id === undefined) faults.push(`filter[load]: '${named.slice(0, 80)}' is not an id`)
    if (faults.length > 0) throw badRequest(faults)
    return { states, ...(id !== undefined && { load: Number(id) }) }
  },
  run: (ctx, wanted) => seenReviews(ctx, wanted),
  answer: listed,
}

const choice = z.object({
  successors: z.array(string(1, 64)).max(100).describe('Empty to keep the node.'),
})

const choose: Route<{ readonly id: number; readonly successors: readonly string[] }, Review> = {
  method: 'POST',
  path: `${PATH}/reviews/:id/choose`,
  permission: 'modify attack',
  doc: doc(
    'choose_attack_framework_successors',
    'Choose which successors take the place of a node, wherever it is used',
    { 200: z.object({ data: review }) },
    {
      body: z.object({ data: choice }),
      example: { data: { successors: ['TA0002:T1059.001'] } },
      refusals: [400, 404, 409],
    },
  ),
  parse: (request) => ({ id: idIn(request), ...parseBody(choice, request.body) }),
  run: (ctx, { id, successors }) => decide(ctx, id, successors),
  answer: wrapped,
}

/** Loading attack frameworks. */
export const frameworkRoutes: readonly Route[] = [
  list,
  previewFramework,
  loadVersion,
  listAllLoads,
  getLoad,
  removePreview,
  undo,
  listReviews,
  choose,
]

function idIn({ params }: Pick<Incoming, 'params'>): number {
  const id = parseId('integer', params.id ?? '')
  if (id === undefined) throw badRequest(`'${String(params.id).slice(0, 80)}' is not an id of a load or review.`)
  return Number(id)
}

/** The values of a filter, which may be repeated; undefined without it. */
function chosen(
  query: Incoming['query'],
  filter: string,
  allowed: readonly string[],
  faults: string[],
): readonly string[] | undefined {
  const values = query[`filter[${filter}]`]
  const wrong = values?.filter((value) => !allowed.includes(value)) ?? []
  faults.push(...wrong.map((value) => `filter[${filter}]: '${value.slice(0, 80)}' is not one of ${allowed.join(', ')}`))
  return values
}
