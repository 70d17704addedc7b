/** A query that cannot be run: 400 for a syntax error, 422 if it is too expensive. */
export class QueryError extends Error {
  override name = 'QueryError'
  /** The position of the error in the query, from 1. */
  readonly column: number
  readonly status: 400 | 422

  constructor(message: string, start: number, status: 400 | 422 = 400) {
    super(message)
    this.column = start + 1
    this.status = status
  }

  /** The message for users, with the position of the error. */
  get messageWithColumn(): string {
    return `${this.message} (column ${this.column})`
  }
}
