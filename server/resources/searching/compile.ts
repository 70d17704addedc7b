import type { RawBuilder, SqlBool } from 'kysely'
import { badRequest } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import type { Query } from '../../search/query/ast.ts'
import { parseQuery } from '../../search/query/parse.ts'
import { PatternError } from '../../search/query/patterns.ts'
import { QueryError } from '../../search/query/query-error.ts'
import type { Leaf } from './leaf.ts'
import { type Lookups, openLookups } from './lookups.ts'
import { ALL, every, not, type Part, some, tooBroad, toSql } from './parts.ts'

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
  readonly now: number
}

/** What can be searched in a collection. */
export interface SearchFields {
  field(search: Search, name: string): SearchField
  /** What is said of no field is looked for in these. */
  defaults(search: Search, leaf: Leaf): () => Part
}

/** The database compares no longer texts letter by letter. */
const FUZZY_LENGTH = 250

/** A query as a condition on the row `t`; one that cannot be understood is a 400 that says where. */
export async function compileQuery(ctx: Context, fields: SearchFields, text: string): Promise<RawBuilder<SqlBool>> {
  const search: Search = { ctx, lookups: openLookups(), now: ctx.at === undefined ? Date.now() : Date.parse(ctx.at) }
  const part = understood(() => compile(search, fields, parseQuery(text)))
  await search.lookups.make(ctx)
  return toSql(part())
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

function compile(search: Search, fields: SearchFields, query: Query): () => Part {
  if (query.kind === 'all') return () => ALL
  if (query.kind === 'boost') return compile(search, fields, query.query)
  if (query.kind === 'bool') {
    const clauses = query.clauses.map(({ occur, query }) => ({ occur, part: compile(search, fields, query) }))
    return () => {
      const parts = (wanted: string) => clauses.filter(({ occur }) => occur === wanted).map(({ part }) => part())
      const [must, should, mustNot] = [parts('must'), parts('should'), parts('must_not')]
      // What may match beside what must has no say but in the order of the results.
      const isOptional = must.length > 0 || should.length === 0
      return every([...must, ...(isOptional ? [] : [some(should)]), ...mustNot.map(not)])
    }
  }
  if (query.kind === 'exists') {
    const { exists } = fields.field(search, query.field)
    return () => exists
  }
  const isOpen = query.kind === 'range' && query.from === null && query.to === null
  if (isOpen && query.field !== null) {
    const { exists } = fields.field(search, query.field)
    return () => exists
  }
  if (query.kind === 'fuzzy' && query.text.length > FUZZY_LENGTH) {
    throw tooBroad(`a word with typing errors may have ${FUZZY_LENGTH} characters at most.`)
  }
  return query.field === null ? fields.defaults(search, query) : fields.field(search, query.field).find(query)
}
