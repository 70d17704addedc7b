import { pipeline, Readable } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import { type Document, DocumentError } from '../document.ts'
import type { Decoding } from '../encoding/decoding.ts'
import { PRIVATE_QUOTE, withOneQuote } from './quote-pairs.ts'
import { breaksIn, textOf } from './text-of.ts'

/** The CSV dialect of a table. */
export interface Dialect {
  readonly delimiter: string
  /** Empty if cells are never quoted; two characters if the closing quote differs from the opening one. */
  readonly quote: string
  /** The prefix of comment lines. */
  readonly comment?: string | undefined
  readonly skipsLinesWithoutDelimiter?: boolean | undefined
  /** The text encoding; detected if undefined. */
  readonly decoding?: Decoding | undefined
  /** Maximum row length in bytes. */
  readonly limit?: number | undefined
}

/** A row of a table and the line where it starts. */
export interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

/** The dialect of our own tables. */
export const PLAIN: Dialect = { delimiter: ',', quote: '"' }

/** Maximum row length of tables from elsewhere, so that an unclosed quote does not consume the whole file. */
export const ROW_LIMIT = 1024 * 1024

/** Yields the non-empty rows of a table. Throws a DocumentError if the file cannot be a table. */
export async function* readRows(document: Document, dialect: Dialect): AsyncGenerator<Row> {
  const { delimiter, quote, limit = ROW_LIMIT } = dialect
  const [open = '', close = open] = Array.from(quote)
  const isPair = open !== close
  const decoded = textOf(document, dialect.decoding)
  const text = isPair ? withOneQuote(decoded, { open, close, delimiter }) : decoded
  const mark = isPair ? PRIVATE_QUOTE : open
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
    // The parser accepts any return value, but its types allow only lists.
    on_record: take as unknown as NonNullable<Options['on_record']>,
  })
  // Errors of the text stream reach the caller through the parser.
  pipeline(Readable.from(text), parser, () => {})
  try {
    yield* parser as AsyncIterable<Row>
  } catch (error) {
    throw error instanceof CsvError ? new DocumentError(reasonOf(error, lines.next(), limit)) : error
  }
}

/** Computes the line where a row starts from the line where the parser says it ends. */
function lineCount(): { begin(cells: readonly string[], end: number): number; next(): number } {
  let next = 1
  // Inside quotes, the parser counts a CRLF line end twice.
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
    return `The row that starts at or after line ${line} opens a quote that is never closed.`
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `The row that starts at or after line ${line} exceeds ${limit} bytes; a closing quote may be missing.`
  }
  return `line ${line}: ${message}`
}
