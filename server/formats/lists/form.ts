import { type Layout, layoutOf } from './columns.ts'
import { lineValues } from './line-forms.ts'
import { type Line, linesOf } from './lines.ts'
import { type ListRow, rowsOf } from './rows.ts'
import { type Delimiter, splitCells } from './split-cells.ts'
import { typesOfWord } from './type-words.ts'

/** The syntax of a list and its columns. */
export interface ListForm {
  /** Undefined if each line is one cell. */
  readonly delimiter: Delimiter | undefined
  readonly layout: Layout
  /** The column names if a comment contains them, as in `# first_seen,ioc_id,…`. */
  readonly header?: readonly string[] | undefined
  /** The number of cells in a row of the table. Other rows precede the table, or contain extra delimiters. */
  readonly width: number
}

const DELIMITERS: readonly Delimiter[] = ['\t', ',', ';', '|', 'spaces']

/** Minimum share of rows with the usual width in a table. */
const SAME_WIDTH = 0.7
/** Minimum share of lines that are values in a plain list. */
const PLAIN_LINES = 0.7
/** Minimum share of rows with an observable if nothing else indicates a list. */
const ROWS_WITH_VALUES = 0.3

/** Determines the form of a list from its first lines; undefined for prose and for tables without observables. */
export async function formOf(sample: string): Promise<ListForm | undefined> {
  const lines = await Array.fromAsync(linesOf(one(sample)))
  const said = /^\s*"?sep=(.)"?\s*$/i.exec(lines[0]?.text ?? '')?.[1]
  if (said !== undefined) return tableOf(lines.slice(1), said as Delimiter, 0)
  for (const delimiter of DELIMITERS) {
    const table = await tableOf(lines, delimiter, SAME_WIDTH)
    if (table) return table
  }
  return plainOf(lines)
}

/** Whether a line only declares the delimiter. */
export const isSeparatorLine = ({ number, text }: Line): boolean => number === 1 && /^\s*"?sep=."?\s*$/i.test(text)

async function plainOf(lines: readonly Line[]): Promise<ListForm | undefined> {
  const rows = (await rowsIn(lines, undefined)).filter(
    ({ isComment, text }, i) => !isComment && !isHeading(text, i === 0),
  )
  const values = rows.filter(({ text }) => lineValues(text) !== undefined).length
  if (values === 0 || values < rows.length * PLAIN_LINES) return undefined
  const layout: Layout = { columns: [{ name: '', role: { kind: 'observables', types: [] } }], hasHeader: false }
  return { delimiter: undefined, layout, width: 1 }
}

/** Headings above values: `SHA-256:`, `Domains`, and any title in the first line. */
const isHeading = (text: string, isFirst: boolean): boolean =>
  lineValues(text) === undefined &&
  (/^.{1,80}:$/.test(text.trim()) || typesOfWord(text) !== undefined || (isFirst && text.length <= 80))

async function tableOf(lines: readonly Line[], delimiter: Delimiter, sameWidth: number): Promise<ListForm | undefined> {
  const all = await rowsIn(lines, delimiter)
  const rows = all.filter(({ isComment }) => !isComment)
  const width = usualWidth(rows)
  const fitting = rows.filter(({ cells }) => cells.length === width)
  if (width < 2 || fitting.length < rows.length * sameWidth) return undefined
  const header = headerIn(all, delimiter, width)
  const cells = fitting.map((row) => row.cells)
  const layout = layoutOf(cells, header)
  if (!layout) return undefined
  const columnIndexes = layout.columns.flatMap(({ role }, i) => (role.kind === 'observables' ? [i] : []))
  const withValues = cells.filter((row) => columnIndexes.some((i) => (row[i] ?? '') !== '')).length
  if (withValues < cells.length * ROWS_WITH_VALUES) return undefined
  return { delimiter, layout, header, width }
}

/** The most frequent row width; the larger one of two. */
function usualWidth(rows: readonly ListRow[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const [usual] = [...counts].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])
  return usual?.[0] ?? 0
}

/** Returns the last comment before the first row that has as many names as the rows have cells. */
function headerIn(rows: readonly ListRow[], delimiter: Delimiter, width: number): readonly string[] | undefined {
  const before = rows.slice(
    0,
    Math.max(
      0,
      rows.findIndex(({ isComment }) => !isComment),
    ),
  )
  for (const { text } of before.toReversed()) {
    const { cells } = splitCells(text.replace(/^[#!;/\s]{1,10}/, ''), delimiter)
    if (cells.length === width && cells.every((cell) => cell !== '' && cell.length < 60)) return cells
  }
  return undefined
}

const rowsIn = (lines: readonly Line[], delimiter: Delimiter | undefined): Promise<ListRow[]> =>
  Array.fromAsync(rowsOf(each(lines), delimiter))

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

async function* one(text: string): AsyncGenerator<string> {
  yield text
}
