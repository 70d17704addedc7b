import type { Layout } from './columns.ts'

const REASONS = {
  'row number': 'only numbers the rows',
  'null address': 'contains only addresses such as 0.0.0.0 and 127.0.0.1',
} as const

/** Remarks on the columns of a list that are not kept. */
export const columnNotes = ({ columns }: Layout): string[] =>
  columns.flatMap(({ name, role: { kind } }, i) =>
    kind === 'row number' || kind === 'null address'
      ? [`Column ${i + 1}${name === '' ? '' : ` ('${name.slice(0, 100)}')`} ${REASONS[kind]} and is not kept.`]
      : [],
  )
