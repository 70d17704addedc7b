import type { RawBuilder, SqlBool } from 'kysely'
import { fitsPattern } from '../../domain/name-pattern.ts'
import type { Context } from '../../engine/context.ts'
import type { Match } from '../../engine/definition.ts'
import { badRequest, tooBroad } from '../../engine/errors.ts'
import type { Query } from '../query/ast.ts'
import { expressionSize, MAX_EXPRESSIONS_SIZE } from '../query/expression-test.ts'
import type { Now } from '../query/moments.ts'
import { parseQuery } from '../query/parse.ts'
import { PatternError } from '../query/patterns.ts'
import { QueryError } from '../query/query-error.ts'
import { isOpen, isPlain, type Leaf } from './leaf.ts'
import { type Lookups, openLookups, runLookups } from './lookups.ts'
import { ALL, every, likelyOf, NONE, not, type Part, some, toSql } from './parts.ts'
import { scoreOf, type Weighed } from './score.ts'

/** How a field is searched. The parts are available once the look-ups have run. */
export interface SearchField {
  find(leaf: Leaf): () => Part
  readonly exists: Part
}

/** The context for compiling a query. */
export interface Search {
  readonly ctx: Context
  readonly lookups: Lookups
  /** The time that `now` stands for. */
  readonly now: Now
  /** The field names that a name with wildcards can match. */
  readonly names: readonly string[]
}

/** How a clause without a field is searched, and separately in titles. */
export interface Defaults {
  readonly part: () => Part
  readonly inTitle?: () => Part
}

/** The search fields of a collection. */
export interface SearchFields {
  field(search: Search, name: string): SearchField
  /** Searches the default fields, for clauses without a field. */
  defaults(search: Search, leaf: Leaf): Defaults
  /** The names of fields that contain titles. */
  readonly titles?: readonly string[]
  /** Whether the title of an object equals a text, ignoring case. */
  isTitle?(text: string): RawBuilder<SqlBool>
  /** The field names that a name with wildcards can match. */
  readonly names: readonly string[]
  /** Further such names, of custom attributes. */
  ownNames?(ctx: Context): Promise<readonly string[]>
}

/** No longer name occurs in a document that is searched. */
const MAX_NAME_LENGTH = 1000

/** The field with a name, or the union of the fields that a name with wildcards matches. */
function fieldOf(search: Search, fields: SearchFields, name: string): SearchField {
  if (name.length > MAX_NAME_LENGTH) return { find: () => () => NONE, exists: NONE }
  if (!name.includes('*')) return fields.field(search, name)
  const found = search.names.filter((known) => fitsPattern(known, name)).map((known) => fields.field(search, known))
  return {
    find: (leaf) => {
      const parts = found.map(({ find }) => find(leaf))
      return () => some(parts.map((part) => part()))
    },
    exists: some(found.map(({ exists }) => exists)),
  }
}

/** The longest word for which PostgreSQL calculates edit distances. */
const MAX_FUZZY_LENGTH = 250

/** The context of a query, with the offset of the caller's time zone from UTC in milliseconds. */
export type Asking = Context & { readonly utcOffset?: number }

/** Compiles a query to a condition on the row `t`. Responds 400 to a syntax error, with its position. */
export const compileQuery = async (
  ctx: Asking,
  fields: SearchFields,
  query: string | Query,
): Promise<RawBuilder<SqlBool>> => (await seek(ctx, fields, query)).matches

/** Compiles a query to a condition on the row `t` and a score. */
export async function seek(ctx: Asking, fields: SearchFields, query: string | Query): Promise<Match> {
  const { lookups, finish } = await startQuery(ctx, fields, query)
  await runLookups(ctx, [lookups])
  return finish()
}

/** A query whose look-ups have not run yet. */
export interface StartedQuery {
  readonly lookups: Lookups
  /** Call it once the look-ups have run. */
  finish(): Match
}

/** Starts compiling a query, so that many queries can share their look-ups. Responds 400 to a syntax error, with its position. */
export async function startQuery(ctx: Asking, fields: SearchFields, query: string | Query): Promise<StartedQuery> {
  const now = { at: ctx.at === undefined ? Date.now() : Date.parse(ctx.at), offset: ctx.utcOffset ?? 0 }
  // Reads the names of custom attributes only if a field name has a wildcard, which is rare.
  const own = fields.ownNames && hasStarredName(query) ? await fields.ownNames(ctx) : []
  const search: Search = { ctx, lookups: openLookups(), now, names: [...fields.names, ...own] }
  const weighed: Weighed[] = []
  const part = withApiErrors(() => {
    const tree = typeof query === 'string' ? parseQuery(query) : query
    checkExpressions(tree)
    return compile(search, fields, tree, 1, weighed)
  })
  return {
    lookups: search.lookups,
    finish: () => {
      const made = part()
      const likely = likelyOf(made)
      return { matches: toSql(made), ...(likely && { likely }), score: scoreOf(weighed, fields.isTitle) }
    },
  }
}

/** Limits the size of regular expressions, because a short one such as `((.{255}){255}){255}` can expand to millions of states. */
function checkExpressions(query: Query): void {
  if (sizeOfExpressions(query) > MAX_EXPRESSIONS_SIZE) throw tooBroad('the regular expressions are too complex.')
}

function sizeOfExpressions(query: Query): number {
  if (query.kind === 'bool') return query.clauses.reduce((sum, clause) => sum + sizeOfExpressions(clause.query), 0)
  if (query.kind === 'boost') return sizeOfExpressions(query.query)
  if (query.kind !== 'regexp') return 0
  try {
    return expressionSize(query.pattern)
  } catch (error) {
    // Fields that use the expression report the error, and others ignore it.
    if (error instanceof PatternError) return 0
    throw error
  }
}

const hasStarredName = (query: string | Query): boolean =>
  typeof query === 'string' && (query.includes('\\*') || query.split(/\s/).some(asksForStar))

function asksForStar(word: string): boolean {
  const at = word.indexOf('_exists_:')
  return at >= 0 && word.indexOf('*', at) > 0
}

function withApiErrors<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof QueryError && error.status === 422) throw tooBroad(error.message)
    if (error instanceof QueryError) throw badRequest(`query: ${error.messageWithColumn}`)
    if (error instanceof PatternError) throw badRequest(`query: a regular expression is invalid: ${error.message}.`)
    throw error
  }
}

function compile(search: Search, fields: SearchFields, query: Query, weight: number, weighed: Weighed[]): () => Part {
  if (query.kind === 'all') return () => ALL
  if (query.kind === 'boost') return compile(search, fields, query.query, weight * query.factor, weighed)
  if (query.kind === 'bool') {
    const clauses = query.clauses.map(({ occur, query }) => ({
      occur,
      part: compile(search, fields, query, weight, occur === 'must_not' ? [] : weighed),
    }))
    return () => {
      const parts = (wanted: string) => clauses.filter(({ occur }) => occur === wanted).map(({ part }) => part())
      const [must, should, mustNot] = [parts('must'), parts('should'), parts('must_not')]
      // Optional clauses next to mandatory ones only affect the score.
      const isOptional = must.length > 0 || should.length === 0
      return every([...must, ...(isOptional ? [] : [some(should)]), ...mustNot.map(not)])
    }
  }
  const existing = (name: string) => {
    const { exists } = fieldOf(search, fields, name)
    return () => exists
  }
  if (query.kind === 'exists') return existing(query.field)
  if (isOpen(query) && query.field !== null) return existing(query.field)
  if (query.kind === 'fuzzy' && query.text.length > MAX_FUZZY_LENGTH) {
    throw tooBroad(`a fuzzy word can have at most ${MAX_FUZZY_LENGTH} characters.`)
  }
  const { part, inTitle } = findersOf(search, fields, query)
  const isPattern = !isPlain(query) && query.kind !== 'prefix'
  weighed.push({ part, weight, inTitle, isPattern, text: 'text' in query ? query.text : undefined })
  return part
}

function findersOf(search: Search, fields: SearchFields, leaf: Leaf): Defaults {
  if (leaf.field === null) return fields.defaults(search, leaf)
  const part = fieldOf(search, fields, leaf.field).find(leaf)
  return fields.titles?.includes(leaf.field) ? { part, inTitle: part } : { part }
}
