import type { Parameters } from '../api/lists.ts'
import type { FieldModel, Kind } from './fields.ts'
import { nameAttributes, nameField } from './references.ts'

/** How a value is compared; as the API writes it before the name of the field. */
export type Comparison = '' | '!' | '>=' | '<='

/** One condition of a list. */
export interface Condition {
  readonly field: string
  readonly comparison: Comparison
  readonly value: string
}

/** What a list page has in its address. */
export interface ListSearch {
  readonly sort?: string
  readonly where?: readonly string[]
  readonly columns?: readonly string[]
  readonly query?: string
}

/** What the comparisons of a kind of fields are called. */
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

/** A condition as it stands in an address, such as `status!=open`. */
export const conditionText = ({ field, comparison, value }: Condition): string =>
  `${field}${comparison === '' ? '=' : comparison === '!' ? '!=' : comparison}${value}`

/** Reads a condition of an address; what is none is left out. */
export function readCondition(text: string): Condition | undefined {
  const [, field, sign, value] = /^([\w.]+)(!=|>=|<=|=)(.*)$/s.exec(text) ?? []
  if (field === undefined || value === undefined) return undefined
  const comparison = sign === '=' ? '' : sign === '!=' ? '!' : (sign as Comparison)
  return { field, comparison, value }
}

/** What of an address belongs to the list; the rest may be anybody's. */
export function readListSearch(search: Readonly<Record<string, unknown>>): ListSearch {
  const { sort, where, columns, query } = search
  return {
    ...(typeof sort === 'string' && { sort }),
    ...(Array.isArray(where) && { where: where.map(String) }),
    ...(Array.isArray(columns) && { columns: columns.map(String) }),
    ...(query !== undefined && { query: String(query) }),
  }
}

/** What the API is asked for. */
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

/** Whether a list can be filtered by a field with an input of its own. */
export const isFilterable = ({ kind }: FieldModel): boolean =>
  kind !== 'json' && kind !== 'document' && kind !== 'secret'

/** How many columns a table has unless somebody asks for more. */
const MOST_COLUMNS = 6

/** A column with the names of objects whose name is inside of a document. */
export const NAME_COLUMN = '@name'

const STAMPS = ['id', 'created_at', 'created_by', 'last_updated_by', 'last_updated_at']

/** The columns of a table that nobody chose: the name first, then what is short, and when it last changed. */
export function defaultColumns(shown: readonly FieldModel[]): readonly string[] {
  const name = nameField(shown)
  const has = (wanted: string) => shown.some((field) => field.name === wanted)
  const last = ['last_updated_at', 'created_at'].filter(has).slice(0, 1)
  const first = name ? [name] : nameAttributes(shown).includes('.') ? [NAME_COLUMN] : []
  const plain = shown.filter((field) => isShort(field) && !STAMPS.includes(field.name) && field.name !== name)
  const some = plain.slice(0, MOST_COLUMNS - first.length - last.length).map((field) => field.name)
  return first.length + some.length > 0 ? [...first, ...some, ...last] : ['id', ...last]
}

/** What is not written by people is short, however long it might be; addresses and what is shown once are no columns. */
const isShort = ({ kind, name, isReadOnly }: FieldModel): boolean =>
  (SCALARS.includes(kind) || (kind === 'long-text' && isReadOnly)) && !/_url$|^new_/.test(name)
