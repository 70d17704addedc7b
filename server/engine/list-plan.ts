export type Operator = '=' | '!' | '>' | '>=' | '<' | '<='

/** A path is the name of a field, or leads into a JSON field: `name`, `data.title`. */
export interface Filter {
  readonly path: string
  readonly operator: Operator
  /** Any of these values; null matches absent values. */
  readonly values: readonly (string | null)[]
}

export interface Sort {
  readonly path: string
  readonly descending: boolean
}

/** A parsed list request: all paths in it are valid. */
export interface ListPlan {
  /** A query in the query language. */
  readonly query: string | null
  readonly filters: readonly Filter[]
  /** The value of the parameter that leaves out some of the matches; null if it leaves out nothing. */
  readonly reduction: string | null
  readonly sort: readonly Sort[]
  readonly limit: number
  readonly offset: number
  /** Sort-key values of the last row already returned. */
  readonly after: readonly unknown[] | null
  readonly attributes: readonly string[] | null
  readonly countOnly: boolean
  /** Totals are exact up to here; 0 means always. */
  readonly cap: number
  readonly fingerprint: string
  /** When the first page was asked for. */
  readonly at: string
}
