import { SEPARATOR, TEXT_CODES, textLexeme } from './lexemes.ts'
import { splitWords } from './words.ts'

/** What a title must match: a phrase or words as a tsquery, and patterns of words that are looked up in the dictionary. */
export interface TitleQuery {
  readonly query: string | null
  /** In the form of LIKE, one for each word with a wildcard inside. */
  readonly patterns: readonly string[]
}

// A letter that hardly any text has stands for a wildcard while the text is split: a star would end the word.
const WILDCARD = '\u02ad'

/** Reads the value of a title filter: words, `"a strict phrase"`, or words with `*`; null where it has no word at all. */
export function readTitle(text: string): TitleQuery | null {
  const quoted = /^\s*"(.*)"\s*$/s.exec(text)?.[1]
  if (quoted !== undefined) {
    const words = splitWords(quoted.replaceAll('\\"', '"'))
    return words.length === 0 ? null : { query: words.map(lexeme).join(' <-> '), patterns: [] }
  }
  const words = splitWords(text.replaceAll('\\"', '"').replaceAll('*', WILDCARD))
  if (words.length === 0) return null
  const isPrefix = (word: string) => word.length > 1 && word.indexOf(WILDCARD) === word.length - 1
  const plain = words.filter((word) => !word.includes(WILDCARD)).map(lexeme)
  const prefixes = words.filter(isPrefix).map((word) => `${lexeme(word.slice(0, -1))}:*`)
  const patterns = words.filter((word) => word.includes(WILDCARD) && !isPrefix(word)).map(like)
  const terms = [...plain, ...prefixes]
  return { query: terms.length === 0 ? null : terms.join(' & '), patterns }
}

/** A word of a title as it stands in a tsquery. */
const lexeme = (word: string): string => quote(textLexeme(TEXT_CODES.title, word))

/** A lexeme as a tsquery spells it. */
export const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const like = (word: string): string =>
  word.replaceAll(/[\\%_]/g, '\\$&').replaceAll(new RegExp(`${WILDCARD}+`, 'g'), '%')

/** The beginning of every lexeme of a title. */
export const TITLE_PREFIX = `${TEXT_CODES.title}${SEPARATOR}`
