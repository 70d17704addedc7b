import type { RawBuilder, SqlBool } from 'kysely'
import { fitsPattern } from '../../domain/name-pattern.ts'
import { badRequest, tooBroad } from '../../engine/errors.ts'
import type { Context, Sought } from '../../engine/resource.ts'
import type { Query } from '../query/ast.ts'
import { MOST_PLACES, placesOf } from '../query/expression-test.ts'
import type { Now } from '../query/moments.ts'
import { parseQuery } from '../query/parse.ts'
import { PatternError } from '../query/patterns.ts'
import { QueryError } from '../query/query-error.ts'
import { isOpen, isPlain, type Leaf } from './leaf.ts'
import { type Lookups, openLookups } from './lookups.ts'
import { ALL, every, likelyOf, NONE, not, type Part, some, toSql } from './parts.ts'
import { scoreOf, type Weighed } from './score.ts'

/** How a field is searched. What it finds is known when the look-ups have been made. */
export interface SearchField {
  find(leaf: Leaf): () => Part
  readonly exists: Part
}

/** What is needed to write down how a field is searched. */
export interface Search {
  readonly ctx: Context
  readonly lookups: Lookups
  /** The moment that date maths count from. */
  readonly now: Now
  /** What a name with stars in it may stand for. */
  readonly names: readonly string[]
}

/** Where something is found that is said of no field, and where of that it is a part of a title. */
export interface Defaults {
  readonly part: () => Part
  readonly inTitle?: () => Part
}

/** What can be searched in a collection. */
export interface SearchFields {
  field(search: Search, name: string): SearchField
  /** What is said of no field is looked for in these. */
  defaults(search: Search, leaf: Leaf): Defaults
  /** Fields of what people call an object. */
  readonly titles?: readonly string[]
  /** Whether an object is called exactly this, in any case. */
  isTitle?(text: string): RawBuilder<SqlBool>
  /** The names that a name with stars in it may stand for. */
  readonly names: readonly string[]
  /** Those of them that the organisation gave itself. */
  ownNames?(ctx: Context): Promise<readonly string[]>
}

/** No document has a longer name in it that is searched. */
const NAME_LENGTH = 1000

/** The field of a name, or the fields that a name with stars in it stands for. */
function fieldOf(search: Search, fields: SearchFields, name: string): SearchField {
  if (name.length > NAME_LENGTH) return { find: () => () => NONE, exists: NONE }
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

/** The database compares no longer texts letter by letter. */
const FUZZY_LENGTH = 250

/** Who asks, and by how many milliseconds their clock is ahead of UTC where their days are not those of UTC. */
export type Asking = Context & { readonly utcOffset?: number }

/** A query as a condition on the row `t`; a text that cannot be understood is a 400 that says where. */
export const compileQuery = async (
  ctx: Asking,
  fields: SearchFields,
  query: string | Query,
): Promise<RawBuilder<SqlBool>> => (await seek(ctx, fields, query)).matches

/** A query as a condition on the row `t`, and how well the row fits. */
export async function seek(ctx: Asking, fields: SearchFields, query: string | Query): Promise<Sought> {
  const now = { at: ctx.at === undefined ? Date.now() : Date.parse(ctx.at), offset: ctx.utcOffset ?? 0 }
  // Hardly any query has a star in the name of a field: only such a one asks for more of them.
  const own = fields.ownNames && hasStarredName(query) ? await fields.ownNames(ctx) : []
  const search: Search = { ctx, lookups: openLookups(), now, names: [...fields.names, ...own] }
  const weighed: Weighed[] = []
  const part = understood(() => {
    const tree = typeof query === 'string' ? parseQuery(query) : query
    checkExpressions(tree)
    return compile(search, fields, tree, 1, weighed)
  })
  await search.lookups.make(ctx)
  const made = part()
  const likely = likelyOf(made)
  return { matches: toSql(made), ...(likely && { likely }), score: scoreOf(weighed, fields.isTitle) }
}

/** A few letters can ask for millions of places: `((.{255}){255}){255}`. */
function checkExpressions(query: Query): void {
  if (placesIn(query) > MOST_PLACES) throw tooBroad('the regular expressions are too complex.')
}

function placesIn(query: Query): number {
  if (query.kind === 'bool') return query.clauses.reduce((sum, clause) => sum + placesIn(clause.query), 0)
  if (query.kind === 'boost') return placesIn(query.query)
  if (query.kind !== 'regexp') return 0
  try {
    return placesOf(query.pattern)
  } catch (error) {
    // Some fields have no use for an expression; the others say what is wrong with it.
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

function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof QueryError && error.status === 422) throw tooBroad(error.message)
    if (error instanceof QueryError) throw badRequest(`query: ${error.told}`)
    if (error instanceof PatternError) throw badRequest(`query: a regular expression is not valid: ${error.message}.`)
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
      // What may match beside what must has no say but in the order of the results.
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
  if (query.kind === 'fuzzy' && query.text.length > FUZZY_LENGTH) {
    throw tooBroad(`a word with typing errors may have ${FUZZY_LENGTH} characters at most.`)
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
