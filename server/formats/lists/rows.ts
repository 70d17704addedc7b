import type { Line } from './lines.ts'
import { type Delimiter, splitCells } from './split-cells.ts'

/** A row of a list: its cells, the line where it starts, and its original text. */
export interface ListRow {
  readonly line: number
  readonly cells: readonly string[]
  readonly text: string
  /** Whether it is a comment on the list rather than a row. */
  readonly isComment: boolean
}

/** Maximum size of a quoted cell. Beyond that, the quote is treated as an ordinary character. */
const MAX_CELL_LINES = 64
const MAX_CELL_LENGTH = 64 * 1024

/** Yields the non-empty rows of a list. Quoted cells may span several lines. */
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
    // A line that is a complete row is not part of a cell: the quote before it was never meant to be closed.
    if (held.length > 0 && delimiter !== undefined && isWhole(line.text, delimiter, width)) {
      yield* held.map(row).filter(isNotEmpty)
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
    if (isOpen && held.length < MAX_CELL_LINES && size < MAX_CELL_LENGTH) continue
    const found = isOpen ? held.map(row) : [row({ number: held[0]?.number ?? 1, text: joined(held) })]
    yield* found.filter(isNotEmpty)
    held = []
    size = 0
  }
  yield* held.map(row).filter(isNotEmpty)
}

const isNotEmpty = ({ cells }: ListRow): boolean => cells.some((cell) => cell.trim() !== '')

function isWhole(text: string, delimiter: Delimiter, width: number): boolean {
  const { cells, isOpen } = splitCells(text, delimiter)
  return width > 1 && !isOpen && cells.length === width
}

const joined = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n')

/** Splits a row with an unclosed quote, which then counts as an ordinary character. */
function cellsOf(text: string, delimiter: Delimiter | undefined): readonly string[] {
  if (delimiter === undefined) return [text.trim()]
  const { cells, isOpen } = splitCells(text, delimiter)
  const whole = isOpen ? text.split(delimiter).map((cell) => cell.trim().replace(/^"/, '')) : cells
  // Markdown tables have delimiters at both ends as well.
  return delimiter === '|' && whole[0] === '' && whole.at(-1) === '' ? whole.slice(1, -1) : whole
}

/** Whether a line is a comment. If semicolons separate cells, a leading one marks an empty cell instead. */
const isComment = (text: string, delimiter: Delimiter | undefined): boolean =>
  /^"?(?:#|\/\/|!(?![\d.]))/.test(text) || (text.startsWith(';') && delimiter !== ';') || /^;[; ]/.test(text)

/** Separator lines: `-----`, `|---|---|`. */
const isRuled = (text: string): boolean => /^[\s|+=:*_~-]{3,}$/.test(text)
