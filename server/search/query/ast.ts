/** The position of a part of a query in its text, from 0. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Whether a clause must match, may match, or must not match. */
export type Occur = 'must' | 'should' | 'must_not'

export interface Clause {
  readonly occur: Occur
  readonly query: Query
}

/** A parsed Lucene query. A field is a name without escapes; null stands for the default fields. */
export type Query =
  | { readonly kind: 'all' }
  | { readonly kind: 'term'; readonly field: string | null; readonly text: string }
  | { readonly kind: 'phrase'; readonly field: string | null; readonly text: string; readonly slop: number }
  /** Everything that begins with a text. */
  | { readonly kind: 'prefix'; readonly field: string | null; readonly text: string }
  /** `*` and `?` are wildcards, and a backslash escapes the next character. */
  | { readonly kind: 'wildcard'; readonly field: string | null; readonly pattern: string }
  | { readonly kind: 'fuzzy'; readonly field: string | null; readonly text: string; readonly edits: 0 | 1 | 2 }
  | { readonly kind: 'regexp'; readonly field: string | null; readonly pattern: string }
  | Range
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'boost'; readonly query: Query; readonly factor: number }
  | { readonly kind: 'bool'; readonly clauses: readonly Clause[] }

/** The ends of a range. Null for an open end. */
export interface Bounds<T> {
  readonly from: T | null
  readonly to: T | null
  readonly includesFrom: boolean
  readonly includesTo: boolean
}

export interface Range extends Bounds<string> {
  readonly kind: 'range'
  readonly field: string | null
}
