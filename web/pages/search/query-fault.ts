import { CallError } from '../../api/call.ts'

/** What is wrong with a query, and where in it. */
export interface QueryFault {
  readonly message: string
  /** Counted from 0. */
  readonly column: number
}

/** The fault of a query that could not be read; undefined where something else went wrong. */
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
