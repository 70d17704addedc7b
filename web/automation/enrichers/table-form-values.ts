import type { EnricherTable } from '../../api/resources.ts'
import { type ScheduleValues, scheduleOf, scheduleValues } from '../../forms/schedule.ts'

/** The formats of tables, with names for lists and labels for forms. */
export const FORMATS = [
  { value: 'csv', name: 'CSV', label: 'CSV' },
  { value: 'json', name: 'JSON', label: 'JSON' },
  { value: 'list', name: 'List', label: 'List, one value per line' },
  { value: 'mmdb', name: 'MaxMind', label: 'MaxMind database (mmdb)' },
] as const

/** The values of the form of a table. */
export interface TableFormValues extends ScheduleValues {
  readonly name: string
  readonly description: string
  readonly format: string
  readonly keyColumn: string
  readonly endColumn: string
  readonly columns: readonly string[]
  /** Empty for content that is uploaded. */
  readonly url: string
  readonly timeZone: string
}

/** The form values of a new table. */
export const NEW_TABLE: TableFormValues = {
  name: '',
  description: '',
  format: 'csv',
  keyColumn: '',
  endColumn: '',
  columns: [],
  url: '',
  schedule: 'never',
  cron: '',
  timeZone: 'UTC',
}

/** The form values of a stored table. */
export const formOf = (table: EnricherTable): TableFormValues => ({
  name: table.name,
  description: table.description,
  format: table.format,
  keyColumn: table.key_column,
  endColumn: table.end_column,
  columns: table.columns,
  url: table.url ?? '',
  ...scheduleValues(table.execution_schedule),
  timeZone: table.execution_schedule?.time_zone ?? 'UTC',
})

/** Whether rows of the format have columns. */
export const hasColumns = ({ format }: Pick<TableFormValues, 'format'>): boolean =>
  format === 'csv' || format === 'json'

/** The request body for form values. */
export function bodyOf(form: TableFormValues): Record<string, unknown> {
  const url = form.url.trim() || null
  return {
    name: form.name.trim(),
    description: form.description,
    format: form.format,
    key_column: hasColumns(form) ? form.keyColumn.trim() : '',
    end_column: hasColumns(form) ? form.endColumn.trim() : '',
    columns: form.format === 'csv' ? form.columns : [],
    url,
    execution_schedule: url === null ? null : scheduleOf(form),
  }
}

/** The names of all fields that can show a validation error. */
export const FAULT_NAMES = [
  'name',
  'description',
  'format',
  'key_column',
  'end_column',
  'columns',
  'url',
  'execution_schedule',
]
