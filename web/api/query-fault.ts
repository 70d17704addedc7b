import { CallError } from './call.ts'

/** A syntax error in a query, with its position. */
export interface QueryFault {
  readonly message: string
  /** The column, starting at 0. */
  readonly column: number
}

/** The syntax error of a rejected query; undefined for other errors. */
export function queryFault(error: unknown, length: number): QueryFault | undefined {
  if (!(error instanceof CallError) || (error.status !== 400 && error.status !== 422)) return undefined
  for (const { detail } of error.faults) {
    const [, text, column] = /^(?:query: )?(.*?) ?\(column (\d+)\)\.?$/s.exec(detail) ?? []
    if (text !== undefined && column !== undefined) {
      return { message: text, column: Math.min(Math.max(0, Number(column) - 1), length) }
    }
  }
  return undefined
}
