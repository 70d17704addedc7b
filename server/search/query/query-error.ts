/** A query that cannot be answered: 400 when it cannot be understood, 422 when it asks for too much. */
export class QueryError extends Error {
  override name = 'QueryError'
  /** Where in the query the fault is, from 1. */
  readonly column: number
  readonly status: 400 | 422

  constructor(message: string, start: number, status: 400 | 422 = 400) {
    super(message)
    this.column = start + 1
    this.status = status
  }

  /** The fault and its place, for people. */
  get told(): string {
    return `${this.message} (column ${this.column})`
  }
}
