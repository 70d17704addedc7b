import { defineAction } from '../../engine/action.ts'
import type { Route } from '../../engine/route.ts'
import { type Asked, aggregate, aggregated, aggregationQuery, guardsOfAggregation } from '../aggregating/aggregation.ts'

const action = defineAction({
  name: 'aggregate_entities',
  doc: 'Count entities by the values of one or two fields',
  tag: 'aggregations',
  method: 'POST',
  path: '/aggregations/entities',
  permission: 'read entities',
  // Only reads, so no transaction is needed.
  isDetached: true,
  body: aggregationQuery,
  example: {
    query: 'type:indicator',
    group_by: 'created_at',
    split_by: 'meta.tlp_color',
    interval: 'month',
    fill: true,
  },
  result: aggregated,
  run: (ctx, input) => aggregate(ctx, input),
})

/** Counts the visible entities by one or two fields. */
export const aggregateEntities: Route = {
  ...action,
  guards: ({ input }: { input: Asked }) => guardsOfAggregation(input),
}
