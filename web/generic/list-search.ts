import type { Parameters } from '../api/lists.ts'
import type { FieldModel, Kind } from './fields.ts'
import { nameAttributes, nameField } from './references.ts'

/** A comparison operator, as the API writes it before the field name. */
export type Comparison = '' | '!' | '>=' | '<='

/** One filter of a list. */
export interface Condition {
  readonly field: string
  readonly comparison: Comparison
  readonly value: string
}

/** The state of a list page in the URL. */
export interface ListSearch {
  readonly sort?: string
  readonly where?: readonly string[]
  readonly columns?: readonly string[]
  readonly query?: string
}

/** The labels of the comparison operators for a kind of field. */
export function comparisonsOf(kind: Kind): readonly { readonly value: Comparison; readonly label: string }[] {
  const equality = [
    { value: '' as const, label: 'is' },
    { value: '!' as const, label: 'is not' },
  ]
  if (kind !== 'time' && kind !== 'number') return equality
  const order = [
    { value: '>=' as const, label: kind === 'time' ? 'from' : 'at least' },
    { value: '<=' as const, label: kind === 'time' ? 'until' : 'at most' },
  ]
  return kind === 'time' ? order : [...equality, ...order]
}

/** A filter as written in the URL, such as `status!=open`. */
export const conditionText = ({ field, comparison, value }: Condition): string =>
  `${field}${comparison === '' ? '=' : comparison === '!' ? '!=' : comparison}${value}`

/** Parses a filter from the URL; invalid ones are ignored. */
export function readCondition(text: string): Condition | undefined {
  const [, field, sign, value] = /^([\w.]+)(!=|>=|<=|=)(.*)$/s.exec(text) ?? []
  if (field === undefined || value === undefined) return undefined
  const comparison = sign === '=' ? '' : sign === '!=' ? '!' : (sign as Comparison)
  return { field, comparison, value }
}

/** The URL parameters that belong to the list; all others are left alone. */
export function readListSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  const { sort, where, columns, query } = search
  return {
    ...(typeof sort === 'string' && { sort }),
    ...(Array.isArray(where) && { where: where.map(String) }),
    ...(Array.isArray(columns) && { columns: columns.map(String) }),
    ...(query !== undefined && { query: String(query) }),
  }
}

/** The query parameters of the API request. */
export function parametersOf({ sort, where = [], query }: ListSearch, fixed: Parameters = {}): Parameters {
  const parameters: Record<string, string | string[]> = {}
  for (const text of where) {
    const condition = readCondition(text)
    if (!condition) continue
    const name = `filter[${condition.comparison}${condition.field}]`
    parameters[name] = [...(parameters[name] ?? []), condition.value]
  }
  return { ...parameters, ...(sort && { sort }), ...(query && { query }), ...fixed }
}

const SCALARS: readonly Kind[] = ['text', 'choice', 'boolean', 'number', 'time', 'reference']
const SORTABLE: readonly Kind[] = ['text', 'long-text', 'choice', 'boolean', 'number', 'time']

/** Whether a list can be sorted by a field. */
export const isSortable = ({ kind }: FieldModel): boolean => SORTABLE.includes(kind)

/** Whether a list can be filtered by a field with a matching input. */
export const isFilterable = ({ kind }: FieldModel): boolean =>
  kind !== 'json' && kind !== 'document' && kind !== 'secret'

/** The default number of columns. */
const MAX_DEFAULT_COLUMNS = 6

/** A column for objects whose name is inside a document. */
export const NAME_COLUMN = '@name'

const STAMPS = ['id', 'created_at', 'created_by', 'last_updated_by', 'last_updated_at']

/** The default columns: the name first, then short fields, then the last change. */
export function defaultColumns(shown: readonly FieldModel[]): readonly string[] {
  const name = nameField(shown)
  const has = (wanted: string) => shown.some((field) => field.name === wanted)
  const last = ['last_updated_at', 'created_at'].filter(has).slice(0, 1)
  const first = name ? [name] : nameAttributes(shown).includes('.') ? [NAME_COLUMN] : []
  const plain = shown.filter((field) => isShort(field) && !STAMPS.includes(field.name) && field.name !== name)
  const some = plain.slice(0, MAX_DEFAULT_COLUMNS - first.length - last.length).map((field) => field.name)
  return first.length + some.length > 0 ? [...first, ...some, ...last] : ['id', ...last]
}

/** Generated values are short regardless of their limit; URLs and secrets that are shown once are not columns. */
const isShort = ({ kind, name, isReadOnly }: FieldModel): boolean =>
  (SCALARS.includes(kind) || (kind === 'long-text' && isReadOnly)) && !/_url$|^new_/.test(name)
