import type { z } from 'zod'
import type { aggregation } from '../aggregating/aggregation.ts'
import type { settings } from './settings.ts'

/** The types of widgets. `enrichers` shows the state of enrichers, all others entities. */
export const WIDGET_TYPES = ['number', 'bar', 'line', 'pie', 'table', 'list', 'enrichers', 'attack-matrix'] as const

const CHARTS: readonly string[] = ['bar', 'line', 'pie', 'table'] satisfies readonly Widget['type'][]

/** A stored widget. */
export interface Widget {
  readonly type: (typeof WIDGET_TYPES)[number]
  readonly query: string | null
  readonly aggregation: z.output<typeof aggregation> | null
  readonly settings: z.output<typeof settings>
}

/** Whether widgets of a type count entities by a field. */
export const isChart = (type: Widget['type']): boolean => CHARTS.includes(type)

/** Contradictions in a widget, each beginning with the field to change. */
export function faultsIn({ type, query, aggregation, settings }: Widget): string[] {
  const isByScore = settings.sort?.split(',').some((term) => /^-?_score$/.test(term.trim()))
  return [
    ...(isChart(type) && aggregation === null ? [`aggregation: is required for the type '${type}'.`] : []),
    ...(isByScore && query === null ? ["settings.sort: '_score' requires a query."] : []),
  ]
}
