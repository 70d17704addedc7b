import { type Document, DocumentError } from '../document.ts'
import { type Dialect, type Row, readRows } from './rows.ts'

/** A row of a table, and what is wrong with the number of its cells, if anything. */
export interface TableRow extends Row {
  readonly fault?: string | undefined
}

/** What is known of a table before it is read. */
export interface TableForm {
  /** Whether the first row has the names of the columns. It comes like any other. */
  readonly hasHeader: boolean
  /** How many columns there are, where that is said; otherwise the first row tells. */
  readonly columns?: number | undefined
}

/**
 * The rows of a table. One that turns out to be none at its end, because half or more of its rows do not have the cells that they
 * should have, is a DocumentError like any other file that is broken somewhere; so is one with formulas.
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
      throw new DocumentError(
        `line ${row.line}: ${JSON.stringify(formula.slice(0, 40))} is a formula for a spreadsheet.`,
      )
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
    throw new DocumentError(`This is no table: ${first}. ${misfits} of ${rows} rows do not fit.`)
  }
}

/**
 * Whether a spreadsheet would compute a cell or call a program for it. Intelligence has no formulas: who sends some is after
 * whoever opens the table next.
 */
export function isFormula(cell: string): boolean {
  const text = cell.trimStart()
  if (!/^[=+@-]/.test(text)) return false
  if (/^=[\w+@("'{$.-]/.test(text) || /^[+@-][A-Za-z][\w.]{0,100}\(/.test(text)) return true
  const bar = text.indexOf('|')
  return bar > 0 && text.indexOf('!', bar) > 0
}

/** Empty cells at the end of a row do no harm. */
function misfit({ cells }: Row, width: number): string | undefined {
  if (cells.length === width) return undefined
  const isLong = cells.length > width
  if (isLong && cells.slice(width).every((cell) => cell.trim() === '')) return undefined
  return `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, not ${width}`
}
