import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { tooBroad } from '../../engine/errors.ts'
import { quote } from '../lexemes.ts'

/**
 * A part of a condition: constant, a query of the search index, or any SQL over the row `t`. If the index alone cannot decide,
 * `likely` is a condition that it can evaluate and that all matching rows meet.
 */
export type Part =
  | { readonly kind: 'none' }
  | { readonly kind: 'all' }
  | { readonly kind: 'index'; readonly query: string; readonly likely?: string }
  | { readonly kind: 'sql'; readonly condition: RawBuilder<SqlBool>; readonly likely?: RawBuilder<SqlBool> }

export const NONE: Part = { kind: 'none' }
export const ALL: Part = { kind: 'all' }

/** A query of the search index, in the syntax of tsquery. */
export const index = (query: string, likely: string = query): Part => ({
  kind: 'index',
  query,
  ...(likely !== query && { likely }),
})

/** Finds entities that have one of these lexemes. */
export const anyLexeme = (lexemes: readonly string[]): Part =>
  lexemes.length === 0 ? NONE : index(lexemes.map(quote).join(' | '))

export const condition = (made: RawBuilder<SqlBool>, likely?: RawBuilder<SqlBool>): Part => ({
  kind: 'sql',
  condition: made,
  ...(likely && { likely }),
})

/** Combines parts with AND. Parts that the index can answer become one query of it. */
export function every(parts: readonly Part[]): Part {
  const own = parts.filter(({ kind }) => kind !== 'all')
  if (own.some(({ kind }) => kind === 'none')) return NONE
  return combine(own, ' & ', sql` and `, ALL)
}

/** Combines parts with OR. */
export function some(parts: readonly Part[]): Part {
  const own = parts.filter(({ kind }) => kind !== 'none')
  if (own.some(({ kind }) => kind === 'all')) return ALL
  return combine(own, ' | ', sql` or `, NONE)
}

export function not(part: Part): Part {
  if (part.kind === 'none') return ALL
  if (part.kind === 'all') return NONE
  if (part.kind === 'index') return index(`!(${part.query})`)
  return condition(sql`(${part.condition}) is not true`)
}

function combine(parts: readonly Part[], operator: string, word: RawBuilder<unknown>, empty: Part): Part {
  if (parts.length === 0) return empty
  if (parts.length === 1) return parts[0] as Part
  const questions = parts.filter((part) => part.kind === 'index')
  const together = (queries: readonly string[]) => queries.map((query) => `(${query})`).join(operator)
  const asked = index(
    together(questions.map(({ query }) => query)),
    together(questions.map(({ query, likely }) => likely ?? query)),
  )
  const others = parts.filter(({ kind }) => kind === 'sql')
  const all = questions.length > 0 ? [asked, ...others] : others
  if (all.length === 1) return all[0] as Part
  const likely = all.some((part) => likelyOf(part)) ? all.map((part) => likelyOf(part) ?? toSql(part)) : undefined
  return condition(sql`(${sql.join(all.map(toSql), word)})`, likely && sql`(${sql.join(likely, word)})`)
}

/** The maximum length of a tsquery. Parsing a longer one would take longer than running it. */
const MAX_TSQUERY_LENGTH = 1_000_000

/** The condition on the row `t`. */
export function toSql(part: Part): RawBuilder<SqlBool> {
  if (part.kind === 'sql') return part.condition
  if (part.kind !== 'index') return part.kind === 'all' ? sql`true` : sql`false`
  return matchesTsquery(part.query)
}

/** The condition that the index can evaluate, if it cannot decide alone. */
export function likelyOf(part: Part): RawBuilder<SqlBool> | undefined {
  if (part.kind === 'sql') return part.likely
  return part.kind === 'index' && part.likely !== undefined ? matchesTsquery(part.likely) : undefined
}

function matchesTsquery(question: string): RawBuilder<SqlBool> {
  if (question.length > MAX_TSQUERY_LENGTH) throw tooBroad('the query has too many words.')
  return sql`t.search @@ ${question}::tsquery`
}
