import { ANY, fits, type NamePattern, ONE } from '../../domain/name-pattern.ts'
import { foldCase } from '../words.ts'

/** A syntax error in a pattern. */
export class PatternError extends Error {
  override name = 'PatternError'
}

/** Splits a wildcard pattern into characters and wildcards. */
function piecesOf(pattern: string): (string | { readonly wildcard: '*' | '?' })[] {
  const pieces: (string | { readonly wildcard: '*' | '?' })[] = []
  const characters = [...pattern]
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    // Several stars in a row mean the same as one, and would multiply the ways to match.
    if (character === '*') while (characters[i + 1] === '*') i++
    if (character === '*' || character === '?') pieces.push({ wildcard: character })
    else pieces.push(character === '\\' ? (characters[++i] ?? '\\') : character)
  }
  return pieces
}

/** Converts a wildcard pattern to a folded LIKE pattern. */
export const likeOf = (pattern: string): string =>
  piecesOf(pattern)
    .map((piece) => (typeof piece === 'string' ? escapeLike(foldCase(piece)) : piece.wildcard === '*' ? '%' : '_'))
    .join('')

/** Escapes a text for LIKE. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** Whether a wildcard pattern matches every text. */
export const isAnything = (pattern: string): boolean => /^\*+$/.test(pattern)

/** Tests whether a wildcard pattern matches a whole folded text. */
export function wildcardTest(pattern: string): (text: string) => boolean {
  const wanted = piecesOf(pattern).flatMap(
    (piece): NamePattern => (typeof piece === 'string' ? [...foldCase(piece)] : [piece.wildcard === '*' ? ANY : ONE]),
  )
  return (text) => fits([...text], wanted)
}

const escapeExpression = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** The maximum count in a repetition that PostgreSQL supports. */
const MAX_REPEATS = 255

/**
 * Converts a Lucene regular expression to one of PostgreSQL that matches a whole folded text. The operators are
 * `. * + ? | ( ) [ ] { }`; all other characters stand for themselves.
 */
export function expressionOf(pattern: string): string {
  const characters = [...pattern]
  const parts: string[] = []
  const opened: number[] = []
  // The index of the last operand, or -1 if there is nothing to repeat.
  let operand = -1
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    if (character === '(') {
      opened.push(parts.length)
      operand = -1
      parts.push('(?:')
    } else if (character === ')') {
      operand = opened.pop() ?? -1
      if (operand < 0) throw new PatternError('a closing parenthesis has no opening one')
      parts.push(')')
    } else if (character === '|') {
      operand = -1
      parts.push('|')
    } else if ('*+?'.includes(character)) {
      if (operand < 0) throw new PatternError(`there is nothing to repeat before '${character}'`)
      // Groups the operand, because a repetition can be repeated again.
      parts.push(`(?:${parts.splice(operand).join('')})${character}`)
    } else if (character === '{') {
      const [counted = '', least = '', , most] =
        /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(characters.slice(i, i + 12).join('')) ?? []
      if (operand < 0 || counted === '')
        throw new PatternError('a brace must follow an operand and contain a count such as {2} or {1,3}')
      if (Number(least) > MAX_REPEATS || Number(most ?? 0) > MAX_REPEATS) {
        throw new PatternError(`a count can be at most ${MAX_REPEATS}`)
      }
      if (most !== undefined && Number(most) < Number(least))
        throw new PatternError(`'${counted}' has its counts in the wrong order`)
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

/** Escapes a character inside brackets, for both JavaScript and PostgreSQL. */
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
      // Folding can change the order of the two ends.
      if (isBackwards(low, high) || isBackwards(first, last)) {
        throw new PatternError(`the range '${low}-${high}' is out of order`)
      }
      members.push(`${memberOf(first)}-${memberOf(last)}`)
    }
  }
  if (members.length === 0) throw new PatternError('the brackets are empty')
  return `[${isNegated ? '^' : ''}${members.join('')}]`
}

/** Compares the ends of a range by code point. If folding turns a character into two, the range begins with the second. */
const isBackwards = (low: string, high: string): boolean =>
  ([...low].at(-1)?.codePointAt(0) ?? 0) > (high.codePointAt(0) ?? 0)

/** Whether two texts are at most `maxEdits` edits apart, counting a swap of neighbours as one. */
export function differsByAtMost(maxEdits: number, a: string, b: string): boolean {
  const [one, other] = [[...a], [...b]]
  if (Math.abs(one.length - other.length) > maxEdits) return false
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
  return (last[other.length] ?? 0) <= maxEdits
}

/** The trigram index needs at least this many characters at the start or end of a word, and inside a word. */
const MIN_END_LENGTH = 2
const MIN_INNER_LENGTH = 3

/**
 * LIKE patterns such that every word within `edits` edits of the text matches one of them. Null if the text is too short for selective
 * patterns. If the text is split into one part more than there are edits, at least one part is unchanged. Swapped neighbours may belong
 * to two parts, so that one character at each border belongs to neither.
 */
export function likesNear(edits: 0 | 1 | 2, text: string): readonly string[] | null {
  const characters = [...text]
  const { length } = characters
  const part = (from: number, to: number) => escapeLike(characters.slice(from, to).join(''))
  if (edits === 0) return [part(0, length)]
  const end = edits === 1 ? Math.ceil(length / 2) : Math.max(MIN_END_LENGTH + 1, Math.floor(length * 0.3))
  const last = edits === 1 ? end : length - end
  if (end <= MIN_END_LENGTH || length - last <= MIN_END_LENGTH) return null
  const ends = [`${part(0, end - 1)}%`, `%${part(last + 1, length)}`]
  if (edits === 1) return ends
  return last - end - 2 < MIN_INNER_LENGTH ? null : [...ends, `%${part(end + 1, last - 1)}%`]
}
