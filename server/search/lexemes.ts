import { hash } from 'node:crypto'
import { sortableNumber } from './numbers.ts'
import { cutWord, foldCase } from './words.ts'

/** Separates a field from its value. Words and paths do not contain it. */
export const SEPARATOR = '\u001f'

/** The text fields in the data of an entity, with the letters that stand for them in lexemes. */
export const TEXT_CODES = { title: 't', names: 'n', short_description: 's', description: 'd' } as const

/** The letter of the alias, the only text field outside data. */
export const ALIAS_CODE = 'a'

/** The letter of a text field. */
export type TextCode = (typeof TEXT_CODES)[keyof typeof TEXT_CODES] | typeof ALIAS_CODE

/** The longest value that a lexeme contains. Longer values are hashed. */
export const VALUE_BYTES = 200

/** The lexeme of a word in a text field, as `splitWords` returns it. */
export function textLexeme(code: TextCode, word: string): string {
  return code + SEPARATOR + cutWord(word)
}

/** The lexeme of a whole string at a path in data, ignoring case. Booleans are the strings true and false. */
export function keywordLexeme(path: string, value: string): string {
  return keywordField(path) + keywordValue(value)
}

/** The lexeme of a number at a path in data. These lexemes sort like the numbers. */
export function numberLexeme(path: string, value: number): string {
  return numberField(path) + sortableNumber(value)
}

/** The lexeme of the day of a date or time at a path in data, as `isoDay` returns it. */
export function dayLexeme(path: string, day: string): string {
  return dayField(path) + day
}

/** The lexeme that tells that there is a value at a path in data. A record is not a value itself, but its properties are. */
export function existsLexeme(path: string): string {
  return `?${SEPARATOR}${clean(path)}`
}

/** The lexeme that tells that there is an alias. */
export const ALIAS_EXISTS_LEXEME = `?${ALIAS_CODE}`

/** The lexeme of a whole tag, ignoring case. */
export function tagLexeme(tag: string): string {
  return `g${SEPARATOR}${keywordValue(tag)}`
}

/** The lexeme of a taxonomy. */
export function taxonomyLexeme(id: number): string {
  return `x${SEPARATOR}${id}`
}

/** The lexeme of an ATT&CK node, ignoring case. */
export function attackLexeme(id: string): string {
  return `k${SEPARATOR}${keywordValue(id)}`
}

// A sign before the path tells the kind of its values. It keeps paths apart from the letters of text fields, and the prefixes of
// number and day ranges apart from keywords.

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

/** The value of a lexeme for a whole string. */
export function keywordValue(value: string): string {
  const folded = clean(foldCase(value))
  if (folded.length * 3 <= VALUE_BYTES || Buffer.byteLength(folded) <= VALUE_BYTES) return folded
  return `#${hash('sha1', folded).slice(0, 16)}`
}

/** Quotes a lexeme for a tsquery. */
export const quote = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Replaces characters that PostgreSQL does not accept in a lexeme, and the separator. */
function clean(text: string): string {
  // Nearly every text is clean, and checking is much faster than replacing nothing.
  if (text.isWellFormed() && !text.includes('\0') && !text.includes(SEPARATOR)) return text
  return text.toWellFormed().replaceAll('\0', '\ufffd').replaceAll(SEPARATOR, '\ufffd')
}
