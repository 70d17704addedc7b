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

/** What the parser throws; where nothing was expected, the message is one of the grammar's own. */
declare class ParserError extends Error {
  readonly expected: readonly unknown[] | null
  readonly found: string | null
  readonly location: { readonly start: { readonly offset: number } }
}

export { ParserError as SyntaxError }

export interface ParserOptions {
  /** How deep groups may be nested. */
  readonly nesting: number
  /** How many words, phrases and the like there may be. */
  readonly clauses: number
  /** Throws the refusal of the clause that begins there. */
  readonly refuseClauses: (start: number) => never
}

export function parse(text: string, options: ParserOptions): readonly WrittenClause[]
