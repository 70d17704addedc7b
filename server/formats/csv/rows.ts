import { pipeline, Readable } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { type Document, DocumentError } from '../document.ts'
import type { Decoding } from '../encoding/decoding.ts'
import { STAND_IN, withOneQuote } from './quote-pairs.ts'
import { breaksIn, textOf } from './text-of.ts'

/** How a table is written down. */
export interface Dialect {
  readonly delimiter: string
  /** Nothing where cells are never quoted; two characters where a quote ends in another way than it begins. */
  readonly quote: string
  /** What lines begin with that are no rows. */
  readonly comment?: string | undefined
  readonly skipsLinesWithoutDelimiter?: boolean | undefined
  /** How its text is decoded; found out where it is not known. */
  readonly decoding?: Decoding | undefined
  /** The longest row, in bytes. */
  readonly limit?: number | undefined
}

/** A row of a table, and the line that it begins in. */
export interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

/** How our own tables are written. */
export const PLAIN: Dialect = { delimiter: ',', quote: '"' }

/** The longest row of a table that somebody else wrote. A quote that nobody closed must not take the whole file with it. */
export const ROW_LIMIT = 1024 * 1024

/** The rows of a table that say anything, one after the other. What cannot be a table is a DocumentError. */
export async function* readRows(document: Document, dialect: Dialect): AsyncGenerator<Row> {
  const { delimiter, quote, limit = ROW_LIMIT } = dialect
  const [open = '', close = open] = Array.from(quote)
  const isPair = open !== close
  const decoded = textOf(document, dialect.decoding)
  const text = isPair ? withOneQuote(decoded, { open, close, delimiter }) : decoded
  const mark = isPair ? STAND_IN : open
  const lines = lineCount()
  const take = (cells: string[], { lines: end }: { readonly lines: number }): Row | null => {
    const line = lines.begin(cells, end)
    const isSkipped = cells.length === 1 && dialect.skipsLinesWithoutDelimiter
    return isSkipped || cells.every((cell) => cell.trim() === '') ? null : { line, cells }
  }
  const parser = parse({
    ...optionsOf(dialect),
    quote: mark || false,
    escape: mark || null,
    max_record_size: limit,
    // Anything may come out of the parser, but its types know of lists only.
    on_record: take as unknown as NonNullable<Options['on_record']>,
  })
  // Faults of the text reach the parser this way, and the one who reads it.
  pipeline(Readable.from(text), parser, () => {})
  try {
    yield* parser as AsyncIterable<Row>
  } catch (error) {
    throw error instanceof CsvError ? new DocumentError(reasonOf(error, lines.next(), limit)) : error
  }
}

/** Tells in which line of the file a row begins, of the line that the parser thinks it ends in. */
function lineCount(): { begin(cells: readonly string[], end: number): number; next(): number } {
  let next = 1
  // The parser takes a line end of two characters inside of quotes for two.
  let drift = 0
  return {
    begin(cells, end) {
      const breaks = cells.reduce((sum, cell) => sum + breaksIn(cell), 0)
      const taken = cells.reduce((sum, cell) => sum + (/[\r\n]/.test(cell) ? countBreakCharacters(cell) : 0), 0)
      const begin = end - drift - taken
      drift += taken - breaks
      next = begin + breaks + 1
      return begin
    },
    next: () => next,
  }
}

const countBreakCharacters = (text: string): number => text.split(/[\r\n]/).length - 1

const optionsOf = ({ delimiter, comment }: Dialect): Options => ({
  delimiter,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  ...(comment === undefined ? {} : { comment, comment_no_infix: true }),
})

function reasonOf({ code, message }: CsvError, line: number, limit: number): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return `The row that begins in line ${line} or after it opens a quote that is never closed.`
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `The row that begins in line ${line} or after it is longer than ${limit} bytes; perhaps a quote is not closed.`
  }
  return `line ${line}: ${message}`
}
