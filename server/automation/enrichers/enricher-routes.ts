import { z } from 'zod'
import { defineAction } from '../../engine/action.ts'
import { get, requireVisible } from '../../engine/fetch.ts'
import { present } from '../../engine/present.ts'
import { readId } from '../../engine/query.ts'
import type { Route } from '../../engine/route.ts'
import { resourceOf } from '../../engine/select.ts'
import { listFunctions, shownFunction } from './list-functions.ts'
import { resumeEnrichers } from './resume.ts'
import { testBody, testEnricher, testResult } from './test-enricher.ts'

/** The endpoints of enrichers that are not standard operations. */
export const enricherRoutes: readonly Route[] = [
  defineAction({
    name: 'list_enricher_functions',
    doc: 'List the functions that enrichers can use',
    tag: 'enrichers',
    method: 'GET',
    path: '/enrichers/functions',
    permission: 'read enrichers',
    result: z.array(shownFunction),
    run: (ctx) => listFunctions(ctx.db),
  }),
  defineAction({
    name: 'test_enrichers',
    doc: 'Look up one value immediately, without storing anything, and return the request, the answer and the findings. It counts against the limits',
    tag: 'enrichers',
    method: 'POST',
    path: '/enrichers/:id/test',
    permission: 'modify enrichers',
    // Calls the source, which may take long.
    isDetached: true,
    body: testBody,
    example: { type: 'ipv4', value: '198.51.100.7' },
    result: testResult,
    refusals: [404, 409],
    run: (ctx, input, { params }) =>
      testEnricher(ctx, Number(readId(resourceOf(ctx, 'enrichers'), params.id ?? '')), input),
  }),
  defineAction({
    name: 'resume_enrichers',
    doc: 'End the suspension, wait or open circuit of an enricher, so that look-ups continue at once',
    tag: 'enrichers',
    method: 'POST',
    path: '/enrichers/:id/resume',
    permission: 'modify enrichers',
    result: z.looseObject({}),
    refusals: [404],
    run: async (ctx, _, { params }) => {
      const resource = resourceOf(ctx, 'enrichers')
      const id = readId(resource, params.id ?? '')
      await requireVisible(ctx, resource, id)
      await resumeEnrichers(ctx, [id])
      return present(ctx, resource, await get(ctx, resource, id))
    },
  }),
]
