/** Formats one line of a CSV file according to RFC 4180. */
export const csvLine = (values: readonly unknown[]): string => `${csvCells(values)}\r\n`

/** Formats some cells of a line, without the line end. */
export const csvCells = (values: readonly unknown[]): string => values.map(cell).join(',')

/** Restores the text of a cell that `csvLine` wrote. */
export const readCell = (text: string): string =>
  text.startsWith("'") && looksLikeFormula(text.slice(1)) ? text.slice(1) : text

function cell(value: unknown): string {
  const text = defused(textOf(value), typeof value === 'string')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Spreadsheets evaluate text that starts like a formula. An apostrophe prevents that. Numbers stay numbers. */
const defused = (text: string, isText: boolean): string => (isText && looksLikeFormula(text) ? `'${text}` : text)

/** Any number of leading apostrophes counts, so that a text that already has one keeps it after a round trip. */
const looksLikeFormula = (text: string): boolean => /^'*\s*[=+\-@\t\r]/.test(text)
