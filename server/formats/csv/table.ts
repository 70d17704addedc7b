import { type Document, DocumentError } from '../document.ts'
import { type Dialect, type Row, readRows } from './rows.ts'

/** A row of a table, and the error if it has the wrong number of cells. */
export interface TableRow extends Row {
  readonly fault?: string | undefined
}

/** What is known about a table before it is read. */
export interface TableForm {
  /** Whether the first row contains the column names. It is returned like any other. */
  readonly hasHeader: boolean
  /** The number of columns, if known; otherwise that of the first row. */
  readonly columns?: number | undefined
}

/**
 * Yields the rows of a table. Throws a DocumentError at the end if half or more of the rows have the wrong number of cells, and for rows
 * with formulas.
 */
export async function* tableRows(document: Document, dialect: Dialect, form: TableForm): AsyncGenerator<TableRow> {
  let width = form.hasHeader ? 0 : (form.columns ?? 0)
  let rows = form.hasHeader ? -1 : 0
  let misfits = 0
  let first: string | undefined
  for await (const row of readRows(document, dialect)) {
    if (width === 0) width = row.cells.length
    const formula = row.cells.find(isFormula)
    if (formula !== undefined) {
      throw new DocumentError(`line ${row.line}: ${JSON.stringify(formula.slice(0, 40))} is a spreadsheet formula.`)
    }
    const fault = misfit(row, width)
    rows++
    if (fault !== undefined) {
      misfits++
      first ??= `line ${row.line} ${fault}`
    }
    yield fault === undefined ? row : { ...row, fault }
  }
  if (width === 0) throw new DocumentError('The file has no rows.')
  if (misfits > 0 && misfits * 2 >= rows) {
    throw new DocumentError(`This is not a table: ${first}. ${misfits} of ${rows} rows have the wrong number of cells.`)
  }
}

/**
 * Whether a spreadsheet would evaluate a cell or start a program. Intelligence contains no formulas: they are an attack on the next person
 * who opens the table.
 */
export function isFormula(cell: string): boolean {
  const text = cell.trimStart()
  if (!/^[=+@-]/.test(text)) return false
  if (/^=[\w+@("'{$.-]/.test(text) || /^[+@-][A-Za-z][\w.]{0,100}\(/.test(text)) return true
  const bar = text.indexOf('|')
  return bar > 0 && text.indexOf('!', bar) > 0
}

/** Empty cells at the end of a row are harmless. */
function misfit({ cells }: Row, width: number): string | undefined {
  if (cells.length === width) return undefined
  const isLong = cells.length > width
  if (isLong && cells.slice(width).every((cell) => cell.trim() === '')) return undefined
  return `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'} instead of ${width}`
}
