import { z } from 'zod'
import { readCoverage } from '../../attack/heat/coverage-parameters.ts'
import { gaps, gapsOf } from '../../attack/heat/gaps.ts'
import { defineAction } from '../../engine/action.ts'
import type { Context } from '../../engine/context.ts'
import { missing } from '../../engine/errors.ts'
import { present, project } from '../../engine/present.ts'
import { planList, readId } from '../../engine/query.ts'
import { resourceOf } from '../../engine/select.ts'
import { standard } from '../../engine/standard.ts'
import { entities } from '../../intelligence/entities/entities.ts'
import { aggregate, aggregated, guardsOfAggregation } from '../aggregating/aggregation.ts'
import { DEFAULT_LIMIT, DEFAULT_SORT } from './settings.ts'
import { isChart, type Widget } from './widget.ts'

const counted = z.object({ total_count: z.int().describe('The number of entities that match the query.') })
const listed = counted.extend({ entities: z.array(z.looseObject({})) })

const watched = counted.extend({
  total_count: z.int().describe('The number of enrichers.'),
  enrichers: z.array(z.looseObject({})).describe('Their states, queues and what is left of their limits.'),
})

const matrix = z.object({
  ...gaps.omit({ data: true }).shape,
  techniques: z.array(gaps.shape.data.element.omit({ missing_log_sources: true })),
})

/** The data of a widget, limited to visible entities. */
export const widgetData = defineAction({
  name: 'get_widget_data',
  doc: 'Get the data of a widget: a number, the series of a chart, entities, enrichers, or the techniques of a matrix',
  tag: 'widgets',
  method: 'GET',
  path: '/widgets/:id/data',
  permission: 'read configurations',
  result: z.union([aggregated, listed, watched, matrix, counted]),
  refusals: [404],
  run: async (ctx, _, { params }) => {
    const resource = resourceOf(ctx, 'widgets')
    const row = await standard.get(ctx, resource, readId(resource, params.id ?? ''))
    const widget = row as unknown as Widget
    requireAll(ctx, widget)
    if (widget.type === 'enrichers') return listEnrichers(ctx)
    if (widget.type === 'attack-matrix') return matrixOf(ctx, widget)
    if (widget.type === 'number') return { total_count: await countFound(ctx, widget) }
    return widget.type === 'list' ? listFound(ctx, widget) : seriesOf(ctx, widget)
  },
})

/** A widget grants no access: callers need the same permissions as for the query itself. */
function requireAll({ caller }: Context, { type, aggregation }: Widget): void {
  const isCounted = isChart(type) && aggregation !== null
  const needed =
    type === 'enrichers'
      ? ['read enrichers']
      : [
          'read entities',
          ...(type === 'attack-matrix' ? ['read attack'] : []),
          ...(isCounted ? guardsOfAggregation(aggregation) : []),
        ]
  const lacking = needed.filter((permission) => !caller.permissions.has(permission))
  if (lacking.length > 0) throw missing(lacking)
}

const asked = ({ query, settings: { consolidation } }: Widget) => ({
  ...(query !== null && { query: [query] }),
  ...(consolidation && { consolidation: [consolidation] }),
})

async function countFound(ctx: Context, widget: Widget): Promise<number> {
  const plan = planList(entities, { ...asked(widget), data: ['false'], 'meta[total_resources_aggregated]': ['0'] })
  return (await standard.list(ctx, entities, plan)).total
}

async function listFound(ctx: Context, widget: Widget): Promise<z.output<typeof listed>> {
  const { sort = DEFAULT_SORT, limit = DEFAULT_LIMIT, attributes } = widget.settings
  const plan = planList(entities, {
    ...asked(widget),
    sort: [sort],
    limit: [String(limit)],
    ...(attributes && { attributes }),
  })
  const list = entities.operations.list ?? standard.list
  const { rows, total } = await list(ctx, entities, plan)
  return { entities: rows.map((row) => project(present(ctx, entities, row), plan.attributes)), total_count: total }
}

const MAX_ENRICHERS = 200
const ENRICHER_ATTRIBUTES =
  'id,name,state,state_reason,resumes_at,quota,waiting_count,found_count,empty_count,failed_count'

async function listEnrichers(ctx: Context): Promise<z.output<typeof watched>> {
  const enrichers = resourceOf(ctx, 'enrichers')
  const plan = planList(enrichers, {
    sort: ['name'],
    limit: [String(MAX_ENRICHERS)],
    attributes: [ENRICHER_ATTRIBUTES],
  })
  const { rows, total } = await standard.list(ctx, enrichers, plan)
  return { enrichers: rows.map((row) => project(present(ctx, enrichers, row), plan.attributes)), total_count: total }
}

/** Log sources are left out: they are most of the coverage, and a widget does not show them. */
async function matrixOf(ctx: Context, widget: Widget): Promise<z.output<typeof matrix>> {
  const { half_life, ...attack } = widget.settings.attack ?? {}
  const given = Object.entries(attack).filter(([, value]) => String(value ?? '') !== '')
  const plan = readCoverage({
    ...asked(widget),
    ...Object.fromEntries(given.map(([name, value]) => [name, [value].flat().map(String)])),
    ...(half_life !== undefined && attack.by === 'recency' && { half_life: [String(half_life)] }),
  })
  const { data, ...rest } = await gapsOf(ctx, plan)
  return { ...rest, techniques: data.map(({ missing_log_sources, ...technique }) => technique) }
}

async function seriesOf(ctx: Context, { query, aggregation }: Widget): Promise<z.output<typeof aggregated>> {
  // Writes without one are refused.
  if (aggregation === null) throw new TypeError('A chart has no aggregation.')
  return aggregate(ctx, { ...aggregation, query })
}
