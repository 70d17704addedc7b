import type { Assembler } from '../format.ts'

/** Makes a table of rows, below the line with the names of its columns. */
export const assembleTable = (tableHead: string): Assembler => ({
  tableHead,
  join: async function* (_, rows) {
    yield tableHead
    yield* rows
  },
})
