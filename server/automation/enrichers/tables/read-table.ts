import { parse } from 'csv-parse/sync'
import { badRequest } from '../../../engine/errors.ts'

export const TABLE_FORMATS = ['csv', 'json', 'list', 'mmdb'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/** A row of a table under its key, which is in lower case. */
export interface TableRow {
  readonly key: string
  readonly content: Readonly<Record<string, unknown>>
}

const MAX_ROWS = 2_000_000

/** Reads the rows of a table. Throws a 400 that says what is wrong with it. */
export function readTable(format: Exclude<TableFormat, 'mmdb'>, keyColumn: string, bytes: Buffer): TableRow[] {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  const rows = READERS[format](text)
  if (rows.length > MAX_ROWS) throw badRequest(`data: must have at most ${MAX_ROWS} rows`)
  const column = format === 'list' ? 'value' : keyColumn
  if (rows.length > 0 && !rows.some((row) => Object.hasOwn(row, column))) {
    const names = Object.keys(rows[0] ?? {}).slice(0, 50)
    throw badRequest(`key_column: there is no '${column}' in the table, which has ${names.join(', ')}`)
  }
  return rows.flatMap((content) => {
    const keys = Array.isArray(content[column]) ? content[column] : [content[column]]
    return keys.flatMap((key) =>
      ['string', 'number'].includes(typeof key) && String(key).trim() !== ''
        ? [{ key: String(key).trim().toLowerCase(), content }]
        : [],
    )
  })
}

type Row = Record<string, unknown>

const READERS: Record<Exclude<TableFormat, 'mmdb'>, (text: string) => Row[]> = {
  list: (text) =>
    text.split(/\r?\n/).flatMap((line) => {
      const value = line.replace(/(^|\s)#.*$/, '').trim()
      return value === '' ? [] : [{ value }]
    }),
  csv: (text) => {
    try {
      return parse(text, {
        columns: true,
        comment: '#',
        comment_no_infix: true,
        relax_column_count: true,
        skip_empty_lines: true,
        trim: true,
      })
    } catch (error) {
      throw badRequest(`data: is not a CSV file with a header: ${(error as Error).message.slice(0, 200)}`)
    }
  },
  json: (text) => {
    const list = listIn(parseJson(text))
    if (!list) throw badRequest('data: must be a JSON list of objects, or an object with one such list')
    return list.filter(isRow)
  },
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The list itself, or the longest list among the members of an object. */
function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isRow(value)) return undefined
  const lists = Object.values(value).filter(Array.isArray)
  return lists.sort((a, b) => b.length - a.length)[0]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('data: is not JSON')
  }
}
