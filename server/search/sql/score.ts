import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { every, type Part, toSql } from './parts.ts'

/** Something that is looked for, and how much it counts. */
export interface Weighed {
  readonly part: () => Part
  readonly weight: number
  /** Whether its words are not known beforehand. */
  readonly isPattern: boolean
  /** Where it stands in what people call the object. */
  readonly inTitle?: (() => Part) | undefined
  /** The words themselves, where the whole of a title may be them. */
  readonly text?: string | undefined
}

/** More than the words of a text can count: what is in a title goes before what is only in a description. */
const IN_TITLE = 2
/** More than the words of any query add up to, unless it boosts them. */
const IS_TITLE = 1000

/**
 * How well the row `t` fits: a title that is what was typed goes first, then titles that have it, then the rest. Words count by
 * how often and how close they stand, everything else by being there. So do patterns, as in Lucene: how they are looked up
 * depends on words that the caller may not see, and the order of what is found must not.
 */
export function scoreOf(
  weighed: readonly Weighed[],
  isTitle?: (text: string) => RawBuilder<SqlBool>,
): RawBuilder<unknown> {
  const scores = weighed.flatMap(({ part, weight, isPattern, inTitle }) => [
    ...(isPattern ? presence(part(), weight) : rankOf(part(), weight)),
    ...(inTitle ? presence(inTitle(), weight * IN_TITLE) : []),
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

/** Only rows whose title has all of the words are looked into: the title itself lies beside the row. */
function wholeTitle(
  weighed: readonly Weighed[],
  isTitle: (text: string) => RawBuilder<SqlBool>,
): RawBuilder<unknown>[] {
  const words = weighed.filter((each) => each.inTitle !== undefined && each.text !== undefined)
  const has = every(words.map(({ inTitle }) => inTitle?.() ?? { kind: 'none' }))
  if (words.length === 0 || has.kind === 'none') return []
  const text = words.map((each) => each.text).join(' ')
  return [sql`case when ${toSql(has)} then case when ${isTitle(text)} then ${IS_TITLE}::float8 else 0 end else 0 end`]
}
