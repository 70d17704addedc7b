import { refang } from './observables/refang.ts'

/**
 * A token of a query, as far as needed to distinguish words from syntax: a field with its colon, a value with its own syntax (phrase,
 * range, regular expression), a bare word, or anything between these.
 */
interface Piece {
  readonly kind: 'field' | 'quoted' | 'word' | 'between'
  readonly text: string
}

/** Refangs the indicators in a query, and quotes those that would be query syntax. */
export const refangQuery = (query: string): string =>
  piecesOf(query)
    .map(({ kind, text }) => (kind === 'word' ? refangWord(text) : text))
    .join('')

/** Whether a query searches without a specific field, so that matches differ in rank. */
export function hasFreeWords(query: string): boolean {
  // For each open group, whether a field or a minus applies to it.
  const groups: boolean[] = []
  let isTaken = false
  for (const { kind, text } of piecesOf(query)) {
    if (kind === 'field' || text === '-' || text === '!' || text === 'NOT') isTaken = true
    else if (text === '(') {
      groups.push(isTaken || groups.at(-1) === true)
      isTaken = false
    } else if (text === ')') groups.pop()
    else if (kind !== 'between' && !OPERATORS.has(text)) {
      if (!isTaken && groups.at(-1) !== true) return true
      isTaken = false
    }
  }
  return false
}

const OPERATORS = new Set(['AND', 'OR', 'NOT', '&&', '||'])
const FIELD = /^(?:[\p{L}\p{N}_.*-]|\\.)+$/u
const ENDS: Readonly<Record<string, string>> = { '"': '"', '/': '/' }

function piecesOf(query: string): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  while (at < query.length) {
    const piece = pieceAt(query, at)
    pieces.push(piece)
    at += piece.text.length
  }
  return pieces
}

function pieceAt(query: string, at: number): Piece {
  const character = query.charAt(at)
  const closing = ENDS[character]
  if (closing !== undefined) return { kind: 'quoted', text: query.slice(at, endOfQuoted(query, at, closing)) }
  const range = character === '[' || character === '{' ? rangeAt(query, at) : undefined
  if (range !== undefined) return { kind: 'quoted', text: range }
  if (/[\s()+!:[\]{}-]/.test(character)) return { kind: 'between', text: character }
  return wordAt(query, at)
}

function endOfQuoted(query: string, start: number, closing: string): number {
  for (let at = start + 1; at < query.length; at++) {
    if (query[at] === '\\') at++
    else if (query[at] === closing) return at + 1
  }
  return query.length
}

/** Maximum length of a range end. Without it, an unclosed bracket would make the rest of a long query be scanned repeatedly. */
const RANGE_LENGTH = 500

function rangeAt(query: string, at: number): string | undefined {
  const [text = ''] = /^[^\]}]*[\]}]/.exec(query.slice(at, at + RANGE_LENGTH)) ?? []
  return /\sTO\s/.test(text) ? text : undefined
}

/** Reads a word to its end, or only the field with its colon if a field precedes the value. */
function wordAt(query: string, start: number): Piece {
  let depth = 0
  let at = start
  for (; at < query.length; at++) {
    const character = query.charAt(at)
    if (character === '\\') at++
    else if (/[\s"]/.test(character)) break
    else if (character === '(') depth++
    else if (character === ')' && depth-- === 0) break
    else if (character === ':' && isField(query, start, at)) return { kind: 'field', text: query.slice(start, at + 1) }
  }
  const text = query.slice(start, at)
  // A space may precede the colon.
  const [colon] = (FIELD.test(text) && /^\s+:/.exec(query.slice(at, at + 20))) || []
  return colon === undefined ? { kind: 'word', text } : { kind: 'field', text: text + colon }
}

/** Whether the text before a colon is a field, rather than the scheme of a URL or the start of an address. */
function isField(query: string, start: number, colon: number): boolean {
  const name = query.slice(start, colon)
  if (name.length > 200 || !FIELD.test(name) || query.startsWith('//', colon + 1)) return false
  const word = /^[\da-f:.]{1,60}/i.exec(query.slice(start, start + 60))?.[0] ?? ''
  return !isAddress(word)
}

/** Brackets around a dot, an at sign or a colon inside a word; words in parentheses need letters on both sides. */
const DEFANGED = /\[(?:\.|dot|@|at|:|:\/\/|\/\/?)\]|[({][.@:][)}]|[\p{L}\p{N}_-][({](?:dot|at)[)}][\p{L}\p{N}_-]/iu
const SCHEME = /^[a-z][a-z\d+.*-]{1,30}:\/\//i
const NETWORK = /^[\d.]{7,15}\/\d{1,2}$|^[\da-f:.]{2,45}\/\d{1,3}$/i

function refangWord(word: string): string {
  // A user who escapes characters knows the query language.
  if (word.includes('\\')) return word
  const [value, suffix] = withoutSuffix(word)
  if (DEFANGED.test(value) || SCHEME.test(value)) return `${asTerm(refang(value))}${suffix}`
  return NETWORK.test(value) || isAddress(value) ? `${asTerm(value)}${suffix}` : word
}

/** Splits a word from its boost or fuzziness. */
function withoutSuffix(word: string): readonly [string, string] {
  let end = word.length
  while (end > 0 && /[\d.]/.test(word.charAt(end - 1))) end--
  const sign = word.charAt(end - 1)
  return sign === '^' || sign === '~' ? [word.slice(0, end - 1), word.slice(end - 1)] : [word, '']
}

/** Quotes a value so that a query matches it as a whole. A trailing asterisk makes it a prefix search. */
function asTerm(value: string): string {
  if (/^[\p{L}\p{N}_*?][\p{L}\p{N}_.@*?-]*$/u.test(value)) return value
  if (value.endsWith('*')) return `${value.slice(0, -1).replaceAll(/[^\p{L}\p{N}_.]/gu, '\\$&')}*`
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

const MAC = /^[\da-f]{2}(?::[\da-f]{2}){5}$|^[\da-f]{2}(?::[\da-f]{2}){7}$/i

/** Whether a text is an IPv6 or MAC address, which contain colons. */
function isAddress(text: string): boolean {
  if (text.length > 45 || !/:.*:/.test(text)) return false
  if (MAC.test(text)) return true
  const groups = text.split(':')
  const isOpen = text.includes('::') && text.indexOf('::') === text.lastIndexOf('::')
  const areGroups = groups.every((group) => /^(?:[\da-f]{0,4}|(?:\d{1,3}\.){3}\d{1,3})$/i.test(group))
  return areGroups && (isOpen ? groups.length <= 9 : groups.length === 8 && !groups.includes(''))
}
