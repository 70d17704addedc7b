import { refang } from '../../domain/observables/refang.ts'
import { nameAfter, nameBefore } from './bracketed-name.ts'
import { type Layer, replaced, untouched } from './layer.ts'
import { suffixOf } from './suffixes.ts'

/** Top-level domains accepted when dots are spelled as words. Prose is full of other short words. */
const SPELLED = '(?i:com|net|org|info|biz|edu|gov|io|ru|cn|uk|xyz|onion)(?![\\p{L}\\p{N}])'

const ALNUM = '[\\p{L}\\p{N}]'
const LABEL = '[\\p{L}\\p{N}-]{1,63}'
const DOT = '(?:dot|Dot|DOT)'
const INVISIBLE = '[\\u00ad\\u200b-\\u200d\\u2060\\ufeff]'
const IN_BRACKETS =
  '(?i:dot|d0t|punkt|punto|point|at|www\\.?|h[tx*]{2}ps?|tt|xx|s)|[.,@_\u00b7\u2022\u2024\u3002\uff0e\uff61-]|::|:\\/{0,2}|\\/\\/?'

/** Defanging marks and invisible characters. */
const HIDDEN = new RegExp(
  [
    `${INVISIBLE}+`,
    // Brackets around a sign, with spaces on either side.
    `\\s{0,3}\\\\{0,2}[[({<]{1,3}[\\s\\\\]{0,2}(?:${IN_BRACKETS})[\\s\\\\]{0,2}[\\])}>]{1,3}\\s{0,3}`,
    // A single bracket before or after the dot.
    `(?<=${ALNUM})(?:[[({]\\.|\\.[\\])}])(?=${ALNUM})`,
    `(?<=${ALNUM})\\.[[({][a-z]{2,24}[\\])}]`,
    '(?<=\\d)(?:[\\])}]\\.|\\.[[({])(?=\\d)',
    // Escapes before a dot.
    `(?<=[\\p{L}\\p{N}\\]])[\\\\^]{1,3}\\.(?=${ALNUM})`,
    // Dots of other scripts between Latin letters.
    '(?<=[A-Za-z\\d])[\\u2024\\u3002\\uff0e\\uff61](?=[A-Za-z\\d])',
    // Words in place of signs. A bare "at" counts only if the dots are words too, because people meet "at example.com".
    `(?<=${ALNUM}) ${DOT} (?=${SPELLED}|\\d{1,3}(?!${ALNUM})|${LABEL} ${DOT} )`,
    `(?<=${ALNUM})[-_]${DOT}[-_](?=(?i:com|net|org|ru)(?!${ALNUM}))`,
    `(?<=${ALNUM}) (?:at|At|AT) (?=${LABEL}(?: ${DOT} ${LABEL}){0,3} ${DOT} ${SPELLED})`,
    `(?<=[a-z\\d]) AT (?=${LABEL}(?:\\.|\\[\\.\\]|[[(]dot[\\])])${ALNUM})`,
    `(?<=\\d) \\. ?(?=\\d{1,3}(?!\\d))`,
    `(?<=${ALNUM}) \\. (?=${SPELLED})`,
  ].join('|'),
  'gu',
)

/** A letter of a name in brackets. A digit may also be a footnote number. */
const LETTER = new RegExp(`(?<=${ALNUM})\\[(\\p{L})\\](?=${ALNUM})`, 'gu')

/** Defanged schemes, and the separator between them and a host. */
const SCHEME = new RegExp(
  `(?<![a-z\\d])(?:(h[^\\s/:.,;"'<>()[\\]]{1,4}?p|hx{2,3}|ttp|meow)|f[tx*]{1,2}p)(s?)` +
    `(\\s?(?::\\s?\\/\\s?\\/|:\\\\{2,4}|:\\/|;\\/\\/|:?__(?:\\/\\/)?|\\/\\/)\\/{0,2}) ?(?=[\\p{L}\\p{N}[%])`,
  'giu',
)

/** URLs with backslashes, as some write them and as JSON escapes slashes. */
const BACKSLASHED = /(?<![a-z\d])(h[tx*]{2}ps?|f[tx]p):(?:\\{2,4}|\\\/\\\/)(?=[\p{L}\p{N}[])([^\s"'<>|]{1,2000})/giu

/** Names that a mail gateway has broken up with spaces: `http:// example .com /path`. */
const PULLED_APART = new RegExp(`(?<=:\\/\\/)${LABEL}(?: ?\\.${LABEL}){1,6}(?: (?=\\/\\S))?`, 'gu')

/** Returns the text with all defanged names restored. */
export function refangedText(text: string): Layer {
  const dotted = replaced(untouched(text), HIDDEN, shown)
  const bare = replaced(dotted, LETTER, letterIn)
  const slashed = replaced(bare, BACKSLASHED, ([, scheme, rest = '']) => `${scheme}://${rest.replace(/\\+\/?/g, '/')}`)
  const called = replaced(slashed, SCHEME, schemeOf)
  return replaced(called, PULLED_APART, ([name]) => (name.includes(' .') ? name.replaceAll(' ', '') : undefined))
}

function shown({ 0: piece, index }: RegExpExecArray, text: string): string | undefined {
  const token = piece.trim()
  if (!/[[\](){}<>]/.test(token)) return signOf(token)
  const meaning = meaningOf(token)
  if (meaning === undefined) return undefined
  const isInName = meaning === '-' || meaning === '_'
  const before = text.charAt(index - 1)
  const after = text.charAt(index + piece.length)
  const isBetween = /[\p{L}\p{N}\])}_]/u.test(before) && /[\p{L}\p{N}[({]/u.test(after)
  // A hyphen in brackets belongs to a name only if no space separates them.
  if (isInName) return isBetween && piece === token ? meaning : undefined
  // Spaces around a dot or an @ in brackets are part of the defanging; around other signs they are not.
  if (isBetween && (meaning === '.' || meaning === '@')) return meaning
  const head = piece.slice(0, piece.indexOf(token))
  return `${head}${meaning}${piece.slice(head.length + token.length)}`
}

/** Restores a letter only if it completes a name, and if the text before the brackets is not already a complete name. */
function letterIn({ 0: piece, 1: letter = '', index }: RegExpExecArray, text: string): string | undefined {
  const before = nameBefore(text, index)
  const name = `${before}${letter}${nameAfter(text, index + piece.length)}`
  return suffixOf(name.toLowerCase()).isPublic && !suffixOf(before.toLowerCase()).isPublic ? letter : undefined
}

function signOf(token: string): string {
  if (/^at$/i.test(token)) return '@'
  return token === '' || /[\u00ad\u200b-\u200d\u2060\ufeff]/.test(token) ? '' : '.'
}

/** Returns the sign that the brackets contain; undefined if they are ordinary brackets. */
function meaningOf(token: string): string | undefined {
  const content = token.replace(/[[\](){}<>\\\s]/g, '').toLowerCase()
  if (/^(?:dot|d0t|punkt|punto|point|[.,\u00b7\u2022\u2024\u3002\uff0e\uff61])$/.test(content)) return '.'
  if (/^(?:www\.?|h[tx*]{2}ps?|tt|xx|s|::|\.[a-z]{2,24})$/.test(content)) return content
  if (content === '-' || content === '_') return content
  const plain = refang(token.replaceAll('<', '[').replaceAll('>', ']'))
  return /^(?:@|:\/{0,2}|\/{1,2})$/.test(plain) ? plain : undefined
}

function schemeOf([piece, web, s = '', separator = '']: RegExpExecArray): string | undefined {
  // Only a correctly spelled scheme is recognised without a colon and two slashes.
  const isSpelled = /^(?:http|ftp)/i.test(piece)
  const isSeparated = /:\s?\/\s?\/|:\\\\|__/.test(separator)
  return isSpelled || isSeparated ? `${web === undefined ? 'ftp' : 'http'}${s.toLowerCase()}://` : undefined
}
