import { ANY, fits, type NamePattern, ONE } from '../../domain/name-pattern.ts'
import { foldCase } from '../words.ts'

/** A pattern that cannot be understood. */
export class PatternError extends Error {
  override name = 'PatternError'
}

/** A wildcard pattern in pieces: texts, and what stands between them. */
function piecesOf(pattern: string): (string | { readonly wildcard: '*' | '?' })[] {
  const pieces: (string | { readonly wildcard: '*' | '?' })[] = []
  const characters = [...pattern]
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    // Several stars are one: each further one doubles the ways to match.
    if (character === '*') while (characters[i + 1] === '*') i++
    if (character === '*' || character === '?') pieces.push({ wildcard: character })
    else pieces.push(character === '\\' ? (characters[++i] ?? '\\') : character)
  }
  return pieces
}

/** A wildcard pattern in the form of LIKE, in lower case. */
export const likeOf = (pattern: string): string =>
  piecesOf(pattern)
    .map((piece) => (typeof piece === 'string' ? escapeLike(foldCase(piece)) : piece.wildcard === '*' ? '%' : '_'))
    .join('')

/** A text that LIKE takes as it is. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** Whether anything matches, whatever it is. */
export const isAnything = (pattern: string): boolean => /^\*+$/.test(pattern)

/** Whether a wildcard pattern matches the whole of a folded text. */
export function wildcardTest(pattern: string): (text: string) => boolean {
  const wanted = piecesOf(pattern).flatMap(
    (piece): NamePattern => (typeof piece === 'string' ? [...foldCase(piece)] : [piece.wildcard === '*' ? ANY : ONE]),
  )
  return (text) => fits([...text], wanted)
}

const escapeExpression = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** The most repeats that PostgreSQL counts. */
const REPEATS = 255

/**
 * A regular expression of Lucene in the form of PostgreSQL, over folded text and anchored to the whole of it. Operators are
 * `. * + ? | ( ) [ ] { }`; everything else stands for itself.
 */
export function expressionOf(pattern: string): string {
  const characters = [...pattern]
  const parts: string[] = []
  const opened: number[] = []
  // Where the last operand begins; nothing can be repeated where there is none.
  let operand = -1
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    if (character === '(') {
      opened.push(parts.length)
      operand = -1
      parts.push('(?:')
    } else if (character === ')') {
      operand = opened.pop() ?? -1
      if (operand < 0) throw new PatternError('a parenthesis is closed that was not opened')
      parts.push(')')
    } else if (character === '|') {
      operand = -1
      parts.push('|')
    } else if ('*+?'.includes(character)) {
      if (operand < 0) throw new PatternError(`there is nothing before '${character}' that it could repeat`)
      // What is repeated may be repeated again, as a whole.
      parts.push(`(?:${parts.splice(operand).join('')})${character}`)
    } else if (character === '{') {
      const [counted = '', least = '', , most] =
        /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(characters.slice(i, i + 12).join('')) ?? []
      if (operand < 0 || counted === '') throw new PatternError('a brace must hold how often what is before it repeats')
      if (Number(least) > REPEATS || Number(most ?? 0) > REPEATS) {
        throw new PatternError(`nothing may be repeated more than ${REPEATS} times`)
      }
      if (most !== undefined && Number(most) < Number(least)) throw new PatternError(`'${counted}' repeats backwards`)
      parts.push(`(?:${parts.splice(operand).join('')})${counted}`)
      i += counted.length - 1
    } else if (character === '[') {
      const end = classEnd(characters, i)
      operand = parts.push(classOf(characters.slice(i + 1, end))) - 1
      i = end
    } else {
      const isEscape = character === '\\'
      const literal = isEscape ? characters[++i] : character
      if (literal === undefined) throw new PatternError('it ends with a backslash')
      operand = parts.push(!isEscape && literal === '.' ? '.' : escapeExpression(foldCase(literal))) - 1
    }
  }
  if (opened.length > 0) throw new PatternError('a parenthesis is not closed')
  return `^(?:${parts.join('')})$`
}

/** A character that stands for itself among others in brackets, here and in the database. */
const memberOf = (character: string): string => (/[\\^[\]-]/.test(character) ? `\\${character}` : character)

function classEnd(characters: readonly string[], start: number): number {
  for (let i = start + 1; i < characters.length; i++) {
    if (characters[i] === '\\') i++
    else if (characters[i] === ']' && i > start + 1) return i
  }
  throw new PatternError('a bracket is not closed')
}

function classOf(inner: readonly string[]): string {
  const isNegated = inner[0] === '^'
  const members: string[] = []
  for (let i = isNegated ? 1 : 0; i < inner.length; i++) {
    const at = inner[i] ?? ''
    const low = at === '\\' ? (inner[++i] ?? '') : at
    const isRange = inner[i + 1] === '-' && inner[i + 2] !== undefined
    if (!isRange) members.push(memberOf(foldCase(low)))
    else {
      i += 2
      const high = inner[i] === '\\' ? (inner[++i] ?? '') : (inner[i] ?? '')
      const [first, last] = [foldCase(low), foldCase(high)]
      // What is in order as it is written need not be so in lower case.
      if (isBackwards(low, high) || isBackwards(first, last)) throw new PatternError(`'${low}-${high}' goes backwards`)
      members.push(`${memberOf(first)}-${memberOf(last)}`)
    }
  }
  if (members.length === 0) throw new PatternError('a bracket is empty')
  return `[${isNegated ? '^' : ''}${members.join('')}]`
}

/** By code points, as ranges go; a character that is two in lower case begins a range with the second. */
const isBackwards = (low: string, high: string): boolean =>
  ([...low].at(-1)?.codePointAt(0) ?? 0) > (high.codePointAt(0) ?? 0)

/** Whether two texts differ by at most so many edits; swapping two neighbours is one. */
export function isWithin(edits: number, a: string, b: string): boolean {
  const [one, other] = [[...a], [...b]]
  if (Math.abs(one.length - other.length) > edits) return false
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, j) => j)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return (last[other.length] ?? 0) <= edits
}

/** What a part must have at least, so that an index finds it: at the ends of a word, and in the middle of it. */
const [AT_ENDS, WITHIN] = [2, 3]

/**
 * Patterns of LIKE of which every word matches one that differs from the text by at most so many edits; null where the text is too
 * short for any that would find little. Of a text in one more part than there are edits, one part is whole. Neighbours that are
 * swapped may belong to two parts, so that a character at each of their borders belongs to neither.
 */
export function likesNear(edits: 0 | 1 | 2, text: string): readonly string[] | null {
  const characters = [...text]
  const { length } = characters
  const part = (from: number, to: number) => escapeLike(characters.slice(from, to).join(''))
  if (edits === 0) return [part(0, length)]
  const end = edits === 1 ? Math.ceil(length / 2) : Math.max(AT_ENDS + 1, Math.floor(length * 0.3))
  const last = edits === 1 ? end : length - end
  if (end <= AT_ENDS || length - last <= AT_ENDS) return null
  const ends = [`${part(0, end - 1)}%`, `%${part(last + 1, length)}`]
  if (edits === 1) return ends
  return last - end - 2 < WITHIN ? null : [...ends, `%${part(end + 1, last - 1)}%`]
}
