import { isRecord } from '../../domain/record.ts'
import { DocumentError } from '../document.ts'
import { type Field, fieldNamed } from './fields.ts'
import type { ColumnMapping, CsvMapping } from './mapping.ts'

/** A column of the file and the fields its cells become. */
export interface PlannedColumn {
  readonly index: number
  readonly name: string
  readonly fields: readonly Field[]
  readonly parameters: ColumnMapping['parameters']
}

/** How the rows of one file are read. */
export interface Plan {
  readonly columns: readonly PlannedColumn[]
  /** Values that apply to every row. */
  readonly defaults: readonly { readonly field: Field; readonly values: readonly unknown[] }[]
  readonly tagsDelimiter: string | undefined
  /** Whether each row is an entity; otherwise all rows are the observables of one report. */
  readonly makesEntities: boolean
  /** Columns of the mapping that the file lacks. */
  readonly missing: readonly string[]
}

/** Finds the columns of a mapping in a file. `header` is undefined if the file has none. */
export function planOf(mapping: CsvMapping, header: readonly string[] | undefined): Plan {
  const place = positionsOf(mapping, header)
  const used = mapping.mappings.filter(({ vendor_fields }) => vendor_fields.length > 0)
  const missing = used.filter(({ column_name }) => place(column_name) === undefined).map((one) => one.column_name)
  if (used.length === 0) throw new DocumentError('The CSV mapping does not map any column to a field.')
  if (missing.length === used.length) {
    throw new DocumentError(
      `The file has none of the columns of the CSV mapping (${listed(missing)}); it has ${listed(header ?? [])}.`,
    )
  }
  const columns = used.flatMap(({ column_name: name, vendor_fields, parameters }): PlannedColumn[] => {
    const index = place(name)
    const fields = vendor_fields.map((field) => known(field, `column '${name}'`))
    return index === undefined ? [] : [{ index, name, fields, parameters }]
  })
  const defaults = defaultsOf(mapping.default_field_values)
  return {
    columns,
    defaults,
    tagsDelimiter: mapping.config.parse_tags ? mapping.config.tags_delimiter : undefined,
    makesEntities:
      columns.some(({ fields }) => fields.some(({ kind }) => kind === 'value')) ||
      defaults.some(({ field }) => field.kind === 'value' && field.form === 'type'),
    missing,
  }
}

const listed = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((name) => name.slice(0, 80))
    .join(', ') || 'none'

function known(name: string, where: string): Field {
  const field = fieldNamed(name)
  if (field) return field
  throw new DocumentError(`The CSV mapping assigns ${where} the field '${name.slice(0, 100)}', which does not exist.`)
}

/** Returns the positions of columns: by their names in the file, otherwise by their order in the mapping. */
function positionsOf(
  { columns, mappings }: CsvMapping,
  header: readonly string[] | undefined,
): (name: string) => number | undefined {
  const named = new Map<string, number>()
  const add = (names: readonly string[]) => {
    for (const [index, name] of names.entries()) if (!named.has(name)) named.set(name, index)
  }
  const plain = header?.map((name) => name.trim()) ?? []
  add(plain)
  add(plain.map((name) => name.toLowerCase()))
  // If names differ from those in the file, columns are matched by position, provided their number is the same.
  const isByPosition = header === undefined || (columns.length > 0 && columns.length === header.length)
  if (isByPosition)
    add((columns.length > 0 ? columns : mappings.map(({ column_name }) => column_name)).map((name) => name.trim()))
  return (name) => named.get(name.trim()) ?? named.get(name.trim().toLowerCase())
}

function defaultsOf(given: Readonly<Record<string, unknown>>): Plan['defaults'] {
  const flat = Object.entries(given).flatMap(([name, value]): [string, unknown][] =>
    (name === 'data' || name === 'meta') && isRecord(value)
      ? Object.entries(value).map(([inner, of]) => [`${name}.${inner}`, of])
      : [[name, value]],
  )
  return flat
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ({
      field: known(name, 'the default values'),
      values: Array.isArray(value) ? value : [value],
    }))
}
