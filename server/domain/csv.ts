/** One line of a CSV file as RFC 4180 has it. */
export const csvLine = (values: readonly unknown[]): string => `${csvCells(values)}\r\n`

/** Some cells of such a line, without its end. */
export const csvCells = (values: readonly unknown[]): string => values.map(cell).join(',')

/** What a text cell of a line that `csvLine` wrote was made of. */
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

/** Spreadsheets run what begins like a formula; after an apostrophe it is a text. Numbers stay numbers. */
const defused = (text: string, isText: boolean): string => (isText && looksLikeFormula(text) ? `'${text}` : text)

/** With any number of apostrophes before it: a text that came with one must not lose it on the way back. */
const looksLikeFormula = (text: string): boolean => /^'*\s*[=+\-@\t\r]/.test(text)
