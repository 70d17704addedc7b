import { entities } from '../../intelligence/entities/entities.ts'
import { entityFields } from '../../intelligence/entities/search-fields.ts'
import { byDay } from '../aggregating/readings.ts'
import { guardsOf, valuesOf } from '../aggregating/values.ts'
import { defineValueCounts } from './value-counts.ts'

/** The most frequent values of several fields, among visible entities. */
export const countEntityValues = defineValueCounts({
  resource: entities,
  search: entityFields,
  name: 'count_entity_values',
  things: 'entities',
  path: '/aggregations/entities/counts',
  permission: 'read entities',
  guards: guardsOf,
  valuesOf: (ctx, field) => valuesOf(ctx, field, 'v', byDay),
})
