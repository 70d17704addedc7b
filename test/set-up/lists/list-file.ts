import type { Listed } from './values.ts'

/** A file of a collection: what it is called, what it says, and the indicators that it has. */
export interface ListFile {
  readonly name: string
  readonly text: string
  readonly indicators: readonly Listed[]
  /** How its text is written as bytes; UTF-8 where nothing is said. */
  readonly encoding?: string
}

/** How many rows the lists have. */
export const ROWS = 25

/** Something for each row. */
export const rows = <T>(make: (i: number) => T): T[] => Array.from({ length: ROWS }, (_, i) => make(i))

/** A table: the cells of each row, of which some are indicators. */
export function table(
  name: string,
  cells: (i: number) => readonly (string | Listed)[],
  { header = '', delimiter = ',', end = '\n', write = ({ value }: Listed) => value, ...more }: TableForm = {},
): ListFile {
  const all = rows(cells)
  const text = all.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : write(cell))).join(delimiter))
  return {
    name,
    text: [...(header === '' ? [] : [header]), ...text, ''].join(end),
    indicators: all.flat().filter((cell) => typeof cell !== 'string'),
    ...more,
  }
}

interface TableForm {
  readonly header?: string
  readonly delimiter?: string
  readonly end?: string
  readonly encoding?: string
  readonly write?: (listed: Listed) => string
}

/** A list with one indicator in each line. */
export const lines = (name: string, make: (i: number) => Listed, form: TableForm = {}): ListFile =>
  table(name, (i) => [make(i)], form)
