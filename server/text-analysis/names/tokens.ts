import { foldCase } from '../../search/words.ts'

/** A word of a text as names are compared: letters and digits are different words. */
export interface Token {
  /** In lower case. */
  readonly word: string
  readonly start: number
  readonly end: number
  /** Whether a separator follows, or the text ends; not between "APT" and "28". */
  readonly isLast: boolean
}

/** The separators of `name_key` in the database. */
const SEPARATORS =
  '\\u0000-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u2190-\\u2bff\\u3000-\\u303f\\uff01-\\uff0f\\uff1a-\\uff20'
const RUN = new RegExp(`[^${SEPARATORS}]+`, 'g')
const PART = /[0-9]+|[^0-9]+/g

/** Longer runs are encoded data rather than words. */
const LONGEST = 200

/** The words of a text, as `name_key` in the database divides names. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const end = index + run.length
    if (run.length > LONGEST) {
      tokens.push({ word: '', start: index, end, isLast: true })
      continue
    }
    for (const { 0: part, index: at } of run.matchAll(PART)) {
      const start = index + at
      const to = start + part.length
      tokens.push({ word: foldCase(part), start, end: to, isLast: to === end })
    }
  }
  return tokens
}
