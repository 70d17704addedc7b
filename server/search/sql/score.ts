import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { every, type Part, toSql } from './parts.ts'

/** A searched part of a query with its weight. */
export interface Weighed {
  readonly part: () => Part
  readonly weight: number
  /** Whether it is a pattern, whose words are not known beforehand. */
  readonly isPattern: boolean
  /** Finds it in the title of the object. */
  readonly inTitle?: (() => Part) | undefined
  /** The text itself, if it may be a whole title. */
  readonly text?: string | undefined
}

/** More than any rank of a word in other texts, so that matches in titles come first. */
const IN_TITLE_WEIGHT = 2
/** More than the sum of all other scores of a query without boosts. */
const IS_TITLE_SCORE = 1000

/**
 * The score of the row `t`: first titles that equal the query, then titles that contain it, then the rest. Words score by frequency
 * and proximity, everything else by presence. Patterns also score by presence, as in Lucene: how they are looked up depends on words
 * that the caller may not see, which must not affect the order.
 */
export function scoreOf(
  weighed: readonly Weighed[],
  isTitle?: (text: string) => RawBuilder<SqlBool>,
): RawBuilder<unknown> {
  const scores = weighed.flatMap(({ part, weight, isPattern, inTitle }) => [
    ...(isPattern ? presence(part(), weight) : rankOf(part(), weight)),
    ...(inTitle ? presence(inTitle(), weight * IN_TITLE_WEIGHT) : []),
  ])
  const exact = isTitle ? wholeTitle(weighed, isTitle) : []
  const all = [...scores, ...exact]
  return all.length === 0 ? sql`0::float8` : sql`(${sql.join(all, sql` + `)})::float8`
}

function rankOf(part: Part, weight: number): RawBuilder<unknown>[] {
  if (part.kind === 'index') return [sql`ts_rank(t.search, ${part.query}::tsquery, 1) * ${weight}::float8`]
  return presence(part, weight)
}

const presence = (part: Part, weight: number): RawBuilder<unknown>[] =>
  part.kind === 'none' || part.kind === 'all' ? [] : [sql`case when ${toSql(part)} then ${weight}::float8 else 0 end`]

/** Compares titles only in rows whose title has all words, because the document with the title is stored out of line. */
function wholeTitle(
  weighed: readonly Weighed[],
  isTitle: (text: string) => RawBuilder<SqlBool>,
): RawBuilder<unknown>[] {
  const words = weighed.filter((each) => each.inTitle !== undefined && each.text !== undefined)
  const has = every(words.map(({ inTitle }) => inTitle?.() ?? { kind: 'none' }))
  if (words.length === 0 || has.kind === 'none') return []
  const text = words.map((each) => each.text).join(' ')
  return [
    sql`case when ${toSql(has)} then case when ${isTitle(text)} then ${IS_TITLE_SCORE}::float8 else 0 end else 0 end`,
  ]
}
