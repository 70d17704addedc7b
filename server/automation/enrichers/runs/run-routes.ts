import { z } from 'zod'
import { parseBody } from '../../../engine/action.ts'
import type { Context } from '../../../engine/context.ts'
import type { Route } from '../../../engine/route.ts'
import { bodyOf, selectedEntities } from '../../../intelligence/by-query/selection.ts'
import { startSystemRun } from '../../../intelligence/by-query/start-run.ts'
import { readRules } from '../requests/candidates.ts'
import { type Forecast, forecast, forecastResult } from './forecast.ts'
import { type EnrichParameters, enricherIds, enrichParameters, hasQuery, objects, options } from './selection.ts'

interface Kind<B extends z.ZodObject> {
  readonly name: string
  readonly summary: string
  readonly tag: string
  readonly path: string
  readonly body: B
  readonly example: z.input<B>
  readonly isForecast?: boolean
}

type Outcome = Forecast | { readonly task_run: string }

/** Defines an endpoint that looks observables up, or says what that would take. */
function defineEnrich<B extends z.ZodObject>({ body, example, isForecast = false, ...kind }: Kind<B>): Route {
  const forecasted = z.object({ data: forecastResult })
  return {
    method: 'POST',
    path: kind.path,
    permission: 'modify enrichments',
    // A forecast writes nothing, and may take longer than a transaction should.
    ...(isForecast && { isDetached: true }),
    doc: {
      operationId: kind.name,
      summary: kind.summary,
      tag: kind.tag,
      body: z.object({ data: body }),
      example: { data: example },
      success: isForecast
        ? { 200: forecasted }
        : { 200: forecasted, 202: z.object({ data: z.object({ task_run: z.url() }) }) },
      refusals: [400, 409, 422],
    },
    parse: ({ body: sent }) => parseBody(body, sent),
    guards: () => ['read entities', 'read extracts'],
    run: async (
      ctx: Context,
      { dry_run, ...input }: z.output<B> & { readonly dry_run?: boolean },
    ): Promise<Outcome> => {
      const wanted: EnrichParameters = enrichParameters.parse({ ...input, at: new Date().toISOString() })
      if (isForecast || dry_run) return forecast(ctx, wanted)
      await readRules(ctx, wanted.enrichers)
      // Refuses a query that cannot be run before the run starts.
      if (hasQuery(wanted)) await selectedEntities(ctx, wanted)
      return { task_run: await startSystemRun(ctx, 'Enrich observables', 'enrich-observables', wanted) }
    },
    answer: (data: Outcome) => ({ status: 'task_run' in data ? 202 : 200, body: { data } }),
  }
}

const byQuery = bodyOf({ enrichers: enricherIds, ...options }).refine(hasQuery, {
  path: ['entities_query'],
  message: 'is required, unless there is a relational_query',
})

const batch = z
  .object({ enrichers: enricherIds, ...objects, ...options, dry_run: z.boolean().default(false) })
  .refine(({ entities, observables }) => entities.length + observables.length > 0, {
    path: ['observables'],
    message: 'is required, unless there are entities',
  })

/** The endpoints that look many observables up. */
export const enrichRunRoutes: readonly Route[] = [
  defineEnrich({
    name: 'enrich_entities_by_query',
    summary: 'Look up the observables of all visible entities that match a query. A dry run is a forecast',
    tag: 'entities',
    path: '/entities/by-query/enrich',
    body: byQuery,
    example: { entities_query: 'tags:unreviewed', enrichers: [1] },
  }),
  defineEnrich({
    name: 'batch_run_enrichers',
    summary: 'Look up observables, and those of entities, with enrichers. A dry run is a forecast',
    tag: 'enrichers',
    path: '/enrichers/batch-run',
    body: batch,
    example: { enrichers: [1], observables: [1], entities: [] },
  }),
  defineEnrich({
    name: 'forecast_enrichers',
    summary: 'Count look-ups, calls, costs and days before a run, which is not started',
    tag: 'enrichers',
    path: '/enrichers/forecast',
    body: bodyOf({ enrichers: enricherIds, ...objects, ...options }),
    example: { entities_query: 'tags:unreviewed', enrichers: [1] },
    isForecast: true,
  }),
]
