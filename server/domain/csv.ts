/** One line of a CSV file as RFC 4180 has it. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

function cell(value: unknown): string {
  const text = defused(textOf(value), typeof value === 'string')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Spreadsheets run what begins like a formula; after an apostrophe it is a text. Numbers stay numbers. */
const defused = (text: string, isText: boolean): string => (isText && /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text)
