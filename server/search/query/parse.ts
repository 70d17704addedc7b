import { textFrom } from '../../domain/text-from.ts'
import type { Query } from './ast.ts'
import { SyntaxError as ParserError, parse, type WrittenClause } from './grammar.js'
import { escapeText } from './print.ts'
import { QueryError } from './query-error.ts'
import { type Operator, understand } from './understand.ts'

export interface QueryOptions {
  /** Reads a query with a syntax error as plain words. */
  readonly lenient?: boolean
  readonly defaultOperator?: Operator
}

/** The maximum length of a query in UTF-16 units. */
export const MAX_QUERY_LENGTH = 20_000

/** The maximum depth of nested groups. */
export const MAX_NESTING = 50

/** The maximum number of words, phrases and other clauses of a query. */
export const MAX_CLAUSES = 1_024

/** Parses a Lucene query. Throws a `QueryError` with the position of an error. */
export function parseQuery(text: string, { lenient = false, defaultOperator = 'OR' }: QueryOptions = {}): Query {
  checkText(text)
  try {
    return understand(readSyntax(text), defaultOperator)
  } catch (error) {
    if (!lenient || !(error instanceof QueryError) || error.status === 422) throw error
    return understand(readSyntax(escapeText(text)), defaultOperator)
  }
}

/** Parses a query as clients send it: as text, or wrapped in `query_string` as in Elasticsearch. */
export function readQuery(value: unknown): Query {
  if (typeof value === 'string') return parseQuery(value)
  const wrapper = property(value, 'query_string') ?? property(property(value, 'query'), 'query_string')
  const text = property(wrapper, 'query')
  if (typeof text !== 'string') throw new QueryError('A query must be text or {"query_string": {"query": "text"}}.', 0)
  const isAnd = textFrom(property(wrapper, 'default_operator')).toUpperCase() === 'AND'
  return parseQuery(text, { lenient: property(wrapper, 'lenient') === true, defaultOperator: isAnd ? 'AND' : 'OR' })
}

function checkText(text: string): void {
  if (text.length > MAX_QUERY_LENGTH) {
    throw new QueryError(`A query can have at most ${MAX_QUERY_LENGTH} characters.`, MAX_QUERY_LENGTH)
  }
  const nul = text.indexOf('\0')
  if (nul !== -1) throw new QueryError('A query cannot contain the NUL character.', nul)
}

function readSyntax(text: string): readonly WrittenClause[] {
  try {
    return parse(text, { nesting: MAX_NESTING, clauses: MAX_CLAUSES, refuseClauses })
  } catch (error) {
    if (!(error instanceof ParserError)) throw error
    throw new QueryError(error.expected ? unexpected(error.found) : error.message, error.location.start.offset)
  }
}

function refuseClauses(start: number): never {
  throw new QueryError(`A query can have at most ${MAX_CLAUSES} clauses.`, start, 422)
}

function unexpected(found: string | null): string {
  if (found === null) return 'The query ends where a word, a phrase or a group is expected.'
  if (/[A-Z&|]/.test(found)) return 'An operator is not allowed here. Put a backslash before it to search for it.'
  return `${found} is not allowed here. Put a backslash before it to search for it.`
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined
}
