import { hash } from 'node:crypto'
import { sortableNumber } from './numbers.ts'
import { cutWord, foldCase } from './words.ts'

/** Stands between a field and its value; no word and no path has it inside. */
export const SEPARATOR = '\u001f'

/** The text fields in an entity's data and the letters that lexemes know them by. */
export const TEXT_CODES = { title: 't', names: 'n', short_description: 's', description: 'd' } as const

/** The letter of the alias, the one text field that is not in data. */
export const ALIAS_CODE = 'a'

/** The letter of a text field. */
export type TextCode = (typeof TEXT_CODES)[keyof typeof TEXT_CODES] | typeof ALIAS_CODE

/** The longest value that a lexeme spells out, in bytes; of a longer one it has a hash. */
export const VALUE_BYTES = 200

/** A word in a text field, as `splitWords` gives it. */
export function textLexeme(code: TextCode, word: string): string {
  return code + SEPARATOR + cutWord(word)
}

/** A whole string at a path in data, in any case; booleans are the strings true and false. */
export function keywordLexeme(path: string, value: string): string {
  return keywordField(path) + keywordValue(value)
}

/** A number at a path in data; the order of such lexemes is the order of the numbers. */
export function numberLexeme(path: string, value: number): string {
  return numberField(path) + sortableNumber(value)
}

/** The day of a date or time at a path in data, as `isoDay` gives it. */
export function dayLexeme(path: string, day: string): string {
  return dayField(path) + day
}

/** That there is a value at a path in data; a record has no value of its own, only those in it. */
export function existsLexeme(path: string): string {
  return `?${SEPARATOR}${clean(path)}`
}

/** That there is an alias. */
export const ALIAS_EXISTS_LEXEME = `?${ALIAS_CODE}`

/** A whole tag, in any case. */
export function tagLexeme(tag: string): string {
  return `g${SEPARATOR}${keywordValue(tag)}`
}

/** A taxonomy by its id. */
export function taxonomyLexeme(id: number): string {
  return `x${SEPARATOR}${id}`
}

/** An attack node by its id, in any case. */
export function attackLexeme(id: string): string {
  return `k${SEPARATOR}${keywordValue(id)}`
}

// A path has a sign in front that says what its values are: no path is taken for the letter of a text field, and the prefixes of a
// range of numbers or days find no keywords.

/** The part of `keywordLexeme` before the value. */
export function keywordField(path: string): string {
  return `.${clean(path)}${SEPARATOR}`
}

/** The part of `numberLexeme` before the value. */
export function numberField(path: string): string {
  return `#${clean(path)}${SEPARATOR}`
}

/** The part of `dayLexeme` before the value. */
export function dayField(path: string): string {
  return `@${clean(path)}${SEPARATOR}`
}

/** How a whole string is spelled as the value of a lexeme. */
export function keywordValue(value: string): string {
  const folded = clean(foldCase(value))
  if (folded.length * 3 <= VALUE_BYTES || Buffer.byteLength(folded) <= VALUE_BYTES) return folded
  return `#${hash('sha1', folded).slice(0, 16)}`
}

/** A lexeme as a tsquery spells it. */
export const quote = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Replaces what PostgreSQL does not take in a lexeme, and what would end a path. */
function clean(text: string): string {
  // Nearly every text is clean, and looking is much faster than replacing nothing.
  if (text.isWellFormed() && !text.includes('\0') && !text.includes(SEPARATOR)) return text
  return text.toWellFormed().replaceAll('\0', '\ufffd').replaceAll(SEPARATOR, '\ufffd')
}
