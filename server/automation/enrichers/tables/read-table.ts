import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { isRecord } from '../../../domain/record.ts'
import { badRequest } from '../../../engine/errors.ts'
import { isWarningList, rowsOfWarningList } from './warning-lists.ts'

export const TABLE_FORMATS = ['csv', 'json', 'list', 'mmdb'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/** How the content of a table is read. */
export interface TableLayout {
  readonly format: TableFormat
  /** Empty for `value`, the name of the column of lists. */
  readonly key_column: string
  /** The column with the last address of a range; empty if there is none. */
  readonly end_column: string
  /** The names of the columns of a csv file without a header. */
  readonly columns: readonly string[]
}

/** A row of a table under its key, which is in lower case. */
export interface TableRow {
  readonly key: string
  readonly content: Row
}

export type Row = Readonly<Record<string, unknown>>

const MAX_ROWS = 2_000_000
const ROWS_PER_TURN = 1000
const PIECE_BYTES = 64 * 1024

/** Reads the rows of a table. Throws a 400 that says what is wrong with it. */
export async function readTable(layout: TableLayout, bytes: Buffer): Promise<TableRow[]> {
  const rows = await READERS[layout.format as keyof typeof READERS](bytes, layout)
  const column = layout.format === 'list' ? 'value' : layout.key_column || 'value'
  for (const [field, name] of [
    ['key_column', column],
    ['end_column', layout.end_column],
  ] as const) {
    if (name === '' || rows.length === 0 || rows.some((row) => Object.hasOwn(row, name))) continue
    const names = Object.keys(rows[0] ?? {}).slice(0, 50)
    throw badRequest(`${field}: there is no '${name}' in the table, which has ${names.join(', ')}`)
  }
  const keyed: TableRow[] = []
  for (const [i, content] of rows.entries()) {
    if (i % ROWS_PER_TURN === 0) await setImmediate()
    for (const key of keysOf(content[column])) {
      const end = layout.end_column === '' ? '' : textOf(content[layout.end_column])
      keyed.push({ key: end === '' ? key : `${key}-${end.toLowerCase()}`, content })
    }
    if (keyed.length > MAX_ROWS) throw tooMany()
  }
  return keyed
}

const keysOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((key) => textOf(key).toLowerCase()).filter((key) => key !== '')

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

const tooMany = () => badRequest(`data: must have at most ${MAX_ROWS} rows`)

type Reader = (bytes: Buffer, layout: TableLayout) => Promise<Row[]>

const READERS: Record<Exclude<TableFormat, 'mmdb'>, Reader> = {
  list: async (bytes) => {
    const lines = decoded(bytes).split(/\r?\n/)
    if (lines.length > MAX_ROWS) throw tooMany()
    return lines.flatMap((line) => {
      const value = line.replace(/(^|\s)#.*$/, '').trim()
      return value === '' ? [] : [{ value }]
    })
  },
  csv: readCsv,
  json: async (bytes) => {
    const parsed = parseJson(decoded(bytes))
    const lists = Array.isArray(parsed) ? parsed : [parsed]
    if (lists.some(isWarningList)) return lists.filter(isWarningList).flatMap(rowsOfWarningList)
    const list = listIn(parsed)
    if (!list) throw badRequest('data: must be a JSON list, or an object with a list')
    return list.flatMap((item) => (isRecord(item) ? [item] : typeof item === 'string' ? [{ value: item }] : []))
  },
}

const decoded = (bytes: Buffer): string => bytes.toString('utf8').replace(/^\uFEFF/, '')

async function readCsv(bytes: Buffer, { columns }: TableLayout): Promise<Row[]> {
  const parser = parse({
    columns: columns.length > 0 ? [...columns] : true,
    delimiter: delimiterOf(bytes),
    bom: true,
    comment: '#',
    comment_no_infix: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  })
  const rows: Row[] = []
  try {
    for await (const row of Readable.from(piecesOf(bytes)).pipe(parser)) {
      rows.push(row)
      if (rows.length > MAX_ROWS) throw tooMany()
      // Other requests are served in between.
      if (rows.length % ROWS_PER_TURN === 0) await setImmediate()
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('CSV_'))
      throw badRequest(`data: is not a CSV file with a header: ${(error as Error).message.slice(0, 200)}`)
    throw error
  }
  return rows
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES)
}

/** A tab or semicolon, if the first line has one and no comma; names in tables with tabs contain commas. */
function delimiterOf(bytes: Buffer): string {
  const line = bytes
    .subarray(0, PIECE_BYTES)
    .toString('utf8')
    .split(/\r?\n/)
    .find((text) => text.trim() !== '' && !text.startsWith('#'))
  if (line?.includes('\t')) return '\t'
  return line?.includes(';') && !line.includes(',') ? ';' : ','
}

/** The list itself, or the longest list among the members of an object. */
function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isRecord(value)) return undefined
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
