import type { Widget } from '../api/resources.ts'
import { DEFAULT_MATRIX } from '../attack/matrices.ts'
import type { UnsavedWidget } from './widget-queries.ts'

/** The values of the widget form. */
export interface WidgetFormValues {
  readonly name: string
  readonly type: Widget['type']
  readonly query: string
  readonly group_by: string
  readonly split_by: string
  readonly interval: string
  readonly limit: string
  readonly sort: string
  readonly matrix: string
}

/** The form values of a new widget. */
export const NEW_WIDGET: WidgetFormValues = {
  name: '',
  type: 'bar',
  query: '',
  group_by: 'type',
  split_by: '',
  interval: '',
  limit: '10',
  sort: '-created_at',
  matrix: DEFAULT_MATRIX,
}

/** Whether a widget groups by a field. */
export const isCounting = (type: Widget['type']): boolean =>
  !['number', 'list', 'enrichers', 'attack-matrix'].includes(type)

/** Whether a field is a time, which can be grouped by intervals. */
export const isTimeField = (field: string): boolean => /(_at|_time|_seen|timestamp|modified|created)$/.test(field)

/** The form values of a stored widget. */
export const formOf = ({ name, type, query, aggregation, settings }: Widget): WidgetFormValues => ({
  name,
  type,
  query: query ?? '',
  group_by: aggregation?.group_by ?? NEW_WIDGET.group_by,
  split_by: aggregation?.split_by ?? '',
  interval: aggregation?.interval ?? '',
  limit: String((isCounting(type) ? aggregation?.limit : settings.limit) ?? 10),
  sort: settings.sort ?? NEW_WIDGET.sort,
  matrix: settings.attack?.matrix ?? DEFAULT_MATRIX,
})

/** The widget for form values; settings without a form field are kept. */
export function widgetOf(form: WidgetFormValues, settings: Widget['settings'] = {}): UnsavedWidget {
  const { name, type, query, group_by, split_by, interval, limit, sort, matrix } = form
  const most = Number.parseInt(limit, 10) || 10
  const isTime = isTimeField(group_by)
  return {
    name: name.trim(),
    type,
    query: type === 'enrichers' ? null : query.trim() || null,
    aggregation: isCounting(type)
      ? {
          group_by: group_by.trim(),
          split_by: split_by.trim() || null,
          limit: most,
          ...(isTime && { interval: (interval || 'day') as 'day', fill: true }),
          ...(!isTime && type === 'pie' && { include_other: true }),
        }
      : null,
    settings:
      type === 'list'
        ? { ...settings, limit: Math.min(most, 100), sort }
        : type === 'attack-matrix'
          ? { ...settings, attack: { ...settings.attack, matrix: matrix as 'enterprise-attack' } }
          : settings,
  }
}
