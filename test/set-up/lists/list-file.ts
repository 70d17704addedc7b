import type { Listed } from './values.ts'

/** A file of a collection: its name, its text, and the indicators in it. */
export interface ListFile {
  readonly name: string
  readonly text: string
  readonly indicators: readonly Listed[]
  /** The encoding of its text; UTF-8 by default. */
  readonly encoding?: string
}

/** The number of rows in each list. */
export const ROWS = 25

/** Calls a function for each row. */
export const rows = <T>(make: (i: number) => T): T[] => Array.from({ length: ROWS }, (_, i) => make(i))

/** A table from the cells of each row, some of which are indicators. */
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

/** A list with one indicator per line. */
export const lines = (name: string, make: (i: number) => Listed, form: TableForm = {}): ListFile =>
  table(name, (i) => [make(i)], form)
