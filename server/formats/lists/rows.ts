import type { Line } from './lines.ts'
import { type Delimiter, splitCells } from './split-cells.ts'

/** A row of a list: its cells, the line that it begins in, and what it says as it was written. */
export interface ListRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly text: string
  /** Whether it says something of the list, and is none of its rows. */
  readonly isComment: boolean
}

/** So far a quote may reach before it is taken for a mark like any other. */
const MOST_LINES = 64
const MOST_CHARACTERS = 64 * 1024

/** The rows of a list without those that say nothing; cells in quotes may have several lines. */
export async function* rowsOf(
  lines: AsyncIterable<Line>,
  delimiter: Delimiter | undefined,
  width = 0,
): AsyncGenerator<ListRow> {
  let held: Line[] = []
  let size = 0
  const row = ({ number, text }: Line): ListRow => ({
    line: number,
    text,
    isComment: false,
    cells: cellsOf(text, delimiter),
  })
  for await (const line of lines) {
    // A line that is a row by itself is none of a cell: the quote before it was never meant to be closed.
    if (held.length > 0 && delimiter !== undefined && isWhole(line.text, delimiter, width)) {
      yield* held.map(row).filter(saysSomething)
      held = []
      size = 0
    }
    if (held.length === 0) {
      const text = line.text.trim()
      if (text === '' || isRuled(text)) continue
      if (isComment(text, delimiter)) {
        yield { line: line.number, text, isComment: true, cells: [] }
        continue
      }
    }
    held.push(line)
    size += line.text.length
    const isOpen = delimiter !== undefined && splitCells(joined(held), delimiter).isOpen
    if (isOpen && held.length < MOST_LINES && size < MOST_CHARACTERS) continue
    const found = isOpen ? held.map(row) : [row({ number: held[0]?.number ?? 1, text: joined(held) })]
    yield* found.filter(saysSomething)
    held = []
    size = 0
  }
  yield* held.map(row).filter(saysSomething)
}

const saysSomething = ({ cells }: ListRow): boolean => cells.some((cell) => cell.trim() !== '')

function isWhole(text: string, delimiter: Delimiter, width: number): boolean {
  const { cells, isOpen } = splitCells(text, delimiter)
  return width > 1 && !isOpen && cells.length === width
}

const joined = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n')

/** A row without the quote that nobody closed, which is then a mark like any other. */
function cellsOf(text: string, delimiter: Delimiter | undefined): readonly string[] {
  if (delimiter === undefined) return [text.trim()]
  const { cells, isOpen } = splitCells(text, delimiter)
  const whole = isOpen ? text.split(delimiter).map((cell) => cell.trim().replace(/^"/, '')) : cells
  // Tables of Markdown have their marks at both ends as well.
  return delimiter === '|' && whole[0] === '' && whole.at(-1) === '' ? whole.slice(1, -1) : whole
}

/** What begins a line that is no row. A semicolon does not where it separates cells: there it begins with an empty one. */
const isComment = (text: string, delimiter: Delimiter | undefined): boolean =>
  /^"?(?:#|\/\/|!(?![\d.]))/.test(text) || (text.startsWith(';') && delimiter !== ';') || /^;[; ]/.test(text)

/** Lines that only separate: `-----`, `|---|---|`. */
const isRuled = (text: string): boolean => /^[\s|+=:*_~-]{3,}$/.test(text)
