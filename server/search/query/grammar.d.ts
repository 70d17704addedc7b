/** A piece of the text as it was written, with its escapes. */
export interface Written {
  readonly raw: string
  readonly start: number
}

export interface WrittenEnd extends Written {
  readonly isQuoted: boolean
}

export interface WrittenClause {
  readonly conjunction: 'and' | 'or' | null
  readonly sign: '+' | '-' | null
  readonly part: WrittenPart
}

export type WrittenPart = WrittenGroup | WrittenText | WrittenComparison | WrittenRange

interface Part {
  readonly start: number
  readonly field: Written | null
  readonly boost: Written | null
}

export interface WrittenGroup extends Part {
  readonly type: 'group'
  readonly clauses: readonly WrittenClause[]
}

export interface WrittenText extends Part {
  readonly type: 'word' | 'phrase' | 'regexp'
  readonly text: Written
  readonly fuzziness: Written | null
}

export interface WrittenComparison extends Part {
  readonly type: 'comparison'
  readonly operator: string
  readonly text: Written
}

export interface WrittenRange extends Part {
  readonly type: 'range'
  readonly from: WrittenEnd
  readonly to: WrittenEnd
  readonly includesFrom: boolean
  readonly includesTo: boolean
}

/** The error that the parser throws. If `expected` is null, the message comes from the grammar. */
declare class ParserError extends Error {
  readonly expected: readonly unknown[] | null
  readonly found: string | null
  readonly location: { readonly start: { readonly offset: number } }
}

export { ParserError as SyntaxError }

export interface ParserOptions {
  /** The maximum depth of nested groups. */
  readonly nesting: number
  /** The maximum number of words, phrases and other leaves. */
  readonly clauses: number
  /** Throws the error for a clause too many, which begins at `start`. */
  readonly refuseClauses: (start: number) => never
}

export function parse(text: string, options: ParserOptions): readonly WrittenClause[]
