import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { tooBroad } from '../../engine/errors.ts'
import { quote } from '../../search/lexemes.ts'

/** A part of a condition: known beforehand, a question to the search index, or any SQL over the row `t`. */
export type Part =
  | { readonly kind: 'none' }
  | { readonly kind: 'all' }
  | { readonly kind: 'index'; readonly query: string }
  | { readonly kind: 'sql'; readonly condition: RawBuilder<SqlBool> }

export const NONE: Part = { kind: 'none' }
export const ALL: Part = { kind: 'all' }

/** A question to the search index, in the syntax of tsquery. */
export const index = (query: string): Part => ({ kind: 'index', query })

/** That one of these lexemes is in the search index. */
export const anyLexeme = (lexemes: readonly string[]): Part =>
  lexemes.length === 0 ? NONE : index(lexemes.map(quote).join(' | '))

export const condition = (made: RawBuilder<SqlBool>): Part => ({ kind: 'sql', condition: made })

/** All of them. What the index can answer becomes one question. */
export function every(parts: readonly Part[]): Part {
  const own = parts.filter(({ kind }) => kind !== 'all')
  if (own.some(({ kind }) => kind === 'none')) return NONE
  return combine(own, ' & ', sql` and `, ALL)
}

/** Any of them. */
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
  const questions = parts.flatMap((part) => (part.kind === 'index' ? [part.query] : []))
  const asked = questions.length > 0 ? [index(questions.map((query) => `(${query})`).join(operator))] : []
  const others = parts.filter(({ kind }) => kind === 'sql')
  const all = [...asked, ...others]
  return all.length === 1 ? (all[0] as Part) : condition(sql`(${sql.join(all.map(toSql), word)})`)
}

/** A longer question would take longer to read than to answer. */
const QUESTION_LENGTH = 1_000_000

/** The condition on the row `t`. */
export function toSql(part: Part): RawBuilder<SqlBool> {
  if (part.kind === 'sql') return part.condition
  if (part.kind !== 'index') return part.kind === 'all' ? sql`true` : sql`false`
  if (part.query.length > QUESTION_LENGTH) throw tooBroad('The query asks for too many words at once.')
  return sql`t.search @@ ${part.query}::tsquery`
}
