import type { Assembler } from '../format.ts'

/** Assembles rows into a table with a header line. */
export const assembleTable = (tableHead: string): Assembler => ({
  tableHead,
  join: async function* (_, rows) {
    yield tableHead
    yield* rows
  },
})
