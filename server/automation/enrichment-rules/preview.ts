import { z } from 'zod'
import { parseBody } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Route } from '../../engine/route.ts'
import { type Forecast, forecastOf, forecastResult } from '../enrichers/runs/forecast.ts'
import { anyEnricherIds } from '../enrichers/runs/selection.ts'
import { readEnrichers } from './ask.ts'
import { criteriaInput, MAX_DAYS, TIME_FIELDS } from './criteria.ts'
import { withStoredColours } from './enrichment-rule-operations.ts'
import { findInScope } from './match.ts'
import { sourceFaults } from './source-faults.ts'
import { STOP_AT } from './stop-at.ts'

const rule = z
  .looseObject({
    criteria: criteriaInput.default([]),
    enrichers: anyEnricherIds.default([]),
    stop_at: z.enum(STOP_AT).nullable().default(null),
    time_field: z.enum(TIME_FIELDS).nullable().default(null),
    time_period: z.int().min(1).max(MAX_DAYS).nullable().default(null),
  })
  .refine(({ time_field, time_period }) => time_period === null || time_field !== null, {
    path: ['time_field'],
    message: 'is required with a time_period',
  })

/** Says what a rule would look up among existing data, before it is saved. */
export const previewRule: Route = {
  method: 'POST',
  path: '/enrichment-rules/preview',
  permission: 'modify enrichment-rules',
  // It writes nothing, and may take longer than a transaction should.
  isDetached: true,
  doc: {
    operationId: 'preview_enrichment_rules',
    summary:
      'Count the observables that a rule matches in its period, and forecast their look-ups. With `stop_at`, the forecast is the most that is needed',
    tag: 'enrichment_rules',
    body: z.object({ data: rule }),
    example: {
      data: { criteria: [{ entity_type: 'indicator' }], enrichers: [1], time_field: 'ingestion', time_period: 30 },
    },
    success: { 200: z.object({ data: forecastResult }) },
    refusals: [400, 422],
  },
  parse: ({ body }) => parseBody(rule, body),
  guards: () => ['read entities', 'read extracts'],
  run: async (ctx: Context, input: z.output<typeof rule>): Promise<Forecast> => {
    await refuseUnknown(ctx, input)
    const [{ criteria, time_field, time_period } = input] = await withStoredColours(ctx, [input])
    return forecastOf(ctx, input.enrichers, await findInScope(ctx, { criteria, time_field, time_period }))
  },
  answer: (data: Forecast) => ({ status: 200, body: { data } }),
}

/** Responds 400 with every enricher and source that does not exist. */
async function refuseUnknown(ctx: Context, { enrichers, criteria }: z.output<typeof rule>): Promise<void> {
  const known = await readEnrichers(ctx, enrichers)
  const [sources = []] = await sourceFaults(ctx, [criteria])
  const faults = enrichers.flatMap((id, i) =>
    known.has(id) ? [] : [`enrichers[${i}]: there is no '${id}' in enrichers.`],
  )
  if (faults.length + sources.length > 0) throw badRequest([...faults, ...sources])
}
