import type { Query } from './ast.ts'
import { SyntaxError as ParserError, parse, type WrittenClause } from './grammar.js'
import { escapeText } from './print.ts'
import { QueryError } from './query-error.ts'
import { type Operator, understand } from './understand.ts'

export interface QueryOptions {
  /** Reads a query that is none as plain words. */
  readonly lenient?: boolean
  readonly defaultOperator?: Operator
}

/** The longest query, in UTF-16 units. */
export const QUERY_LENGTH = 20_000

/** The deepest nesting of groups. */
export const NESTING = 50

/** The most words, phrases and the like that a query may have in all. */
export const CLAUSES = 1_024

/** Reads a Lucene query; a `QueryError` says what is wrong with it and where. */
export function parseQuery(text: string, { lenient = false, defaultOperator = 'OR' }: QueryOptions = {}): Query {
  checkText(text)
  try {
    return understand(readSyntax(text), defaultOperator)
  } catch (error) {
    if (!lenient || !(error instanceof QueryError) || error.status === 422) throw error
    return understand(readSyntax(escapeText(text)), defaultOperator)
  }
}

/** Reads a query as clients send it: a text, or Elasticsearch's `query_string` around one. */
export function readQuery(value: unknown): Query {
  if (typeof value === 'string') return parseQuery(value)
  const wrapper = property(value, 'query_string') ?? property(property(value, 'query'), 'query_string')
  const text = property(wrapper, 'query')
  if (typeof text !== 'string') throw new QueryError('A query is a text or {"query_string": {"query": "a text"}}.', 0)
  const isAnd = String(property(wrapper, 'default_operator')).toUpperCase() === 'AND'
  return parseQuery(text, { lenient: property(wrapper, 'lenient') === true, defaultOperator: isAnd ? 'AND' : 'OR' })
}

function checkText(text: string): void {
  if (text.length > QUERY_LENGTH) throw new QueryError(`A query has at most ${QUERY_LENGTH} characters.`, QUERY_LENGTH)
  const nul = text.indexOf('\0')
  if (nul !== -1) throw new QueryError('A query cannot contain the character NUL.', nul)
}

function readSyntax(text: string): readonly WrittenClause[] {
  try {
    return parse(text, { nesting: NESTING, clauses: CLAUSES, refuseClauses })
  } catch (error) {
    if (!(error instanceof ParserError)) throw error
    throw new QueryError(error.expected ? unexpected(error.found) : error.message, error.location.start.offset)
  }
}

function refuseClauses(start: number): never {
  throw new QueryError(`A query has at most ${CLAUSES} clauses.`, start, 422)
}

function unexpected(found: string | null): string {
  if (found === null) return 'The query ends where a word, a phrase or a group should follow.'
  if (/[A-Z&|]/.test(found)) return 'An operator cannot stand here; put a backslash before it to search for it.'
  return `${found} cannot stand here; put a backslash before it to search for it.`
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined
}
