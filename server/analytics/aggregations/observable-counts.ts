import { observables } from '../../intelligence/observables/observables.ts'
import { observableFields } from '../../intelligence/observables/search-fields.ts'
import { observableExamples } from '../search-fields/search-field-lists.ts'
import { defineValueCounts } from './value-counts.ts'

/** The most frequent values of several fields, among visible observables. */
export const countObservableValues = defineValueCounts({
  resource: observables,
  search: observableFields,
  name: 'count_observable_values',
  things: 'observables',
  path: '/aggregations/observables/counts',
  permission: 'read extracts',
  valuesOf: observableExamples,
})
