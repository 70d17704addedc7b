import { PatternError, type Token, tokensOf } from './pattern-tokens.ts'

/** A comparison that holds whenever the pattern matches: not negated, and with an operator that names values. */
export interface Comparison {
  readonly objectType: string
  /** The path to the property; numbers and asterisks are list indexes. */
  readonly path: readonly string[]
  readonly values: readonly string[]
}

/** The comparisons of a pattern, or the reason why it is invalid. */
export type ParsedPattern = { readonly comparisons: readonly Comparison[] } | { readonly fault: string }

const LENGTH_LIMIT = 1_000_000
const DEPTH_LIMIT = 100
const HASH_DIGITS: Readonly<Record<string, number>> = {
  MD5: 32,
  SHA1: 40,
  SHA224: 56,
  SHA256: 64,
  SHA384: 96,
  SHA512: 128,
}
const LITERALS = new Set<Token['kind']>(['text', 'integer', 'float', 'time', 'hex', 'binary'])
/** Operators whose right side is the value to look for. For ISSUBSET that is a whole network. */
const NAMING = new Set(['=', '==', 'IN', 'ISSUBSET'])
const ORDERED = new Set(['<', '<=', '>', '>='])
const ON_TEXT = new Set(['LIKE', 'MATCHES', 'ISSUBSET', 'ISSUPERSET'])
const KEYWORDS = new Set(
  'AND OR NOT FOLLOWEDBY LIKE MATCHES ISSUPERSET ISSUBSET EXISTS LAST IN START STOP SECONDS TRUE FALSE WITHIN REPEATS TIMES'.split(
    ' ',
  ),
)

interface Reader {
  readonly tokens: readonly Token[]
  readonly end: number
  at: number
  depth: number
  readonly comparisons: Comparison[]
}

/** Parses a STIX 2 pattern, and returns the comparisons that name values. */
export function parsePattern(pattern: string): ParsedPattern {
  if (pattern.length > LENGTH_LIMIT) return { fault: `exceeds ${LENGTH_LIMIT} characters` }
  try {
    const reader: Reader = { tokens: tokensOf(pattern), end: pattern.length, at: 0, depth: 0, comparisons: [] }
    observations(reader)
    if (peek(reader)) throw unexpected(reader, 'the end')
    return { comparisons: reader.comparisons }
  } catch (error) {
    if (error instanceof PatternError) return { fault: `at character ${error.at + 1}: ${error.message}` }
    throw error
  }
}

const peek = (reader: Reader): Token | undefined => reader.tokens[reader.at]

const isNext = (reader: Reader, value: string): boolean => {
  const token = peek(reader)
  return token?.value === value && (token.kind === 'word' || token.kind === 'punctuation' || token.kind === 'operator')
}

function accept(reader: Reader, value: string): boolean {
  const isThere = isNext(reader, value)
  if (isThere) reader.at++
  return isThere
}

function expect(reader: Reader, value: string): void {
  if (!accept(reader, value)) throw unexpected(reader, `'${value}'`)
}

function unexpected(reader: Reader, wanted: string): PatternError {
  const token = peek(reader)
  return token
    ? new PatternError(`expected ${wanted}, found '${token.value.slice(0, 40)}'`, token.at)
    : new PatternError(`expected ${wanted}, found the end of the pattern`, reader.end)
}

/** Observations joined by FOLLOWEDBY, OR and AND. Operator precedence does not affect which values are named. */
function observations(reader: Reader): void {
  do observation(reader)
  while (accept(reader, 'FOLLOWEDBY') || accept(reader, 'OR') || accept(reader, 'AND'))
}

function observation(reader: Reader): void {
  if (accept(reader, '(')) {
    deeper(reader, () => observations(reader))
    expect(reader, ')')
    // Qualifiers of a group may repeat qualifiers used inside it.
    qualifiers(reader, false)
  } else {
    expect(reader, '[')
    deeper(reader, () => comparisons(reader))
    expect(reader, ']')
    qualifiers(reader, true)
  }
}

function deeper(reader: Reader, read: () => void): void {
  if (++reader.depth > DEPTH_LIMIT)
    throw new PatternError(`nested more than ${DEPTH_LIMIT} levels deep`, peek(reader)?.at ?? reader.end)
  read()
  reader.depth--
}

function qualifiers(reader: Reader, isOnce: boolean): void {
  const seen = new Set<string>()
  for (;;) {
    const token = peek(reader)
    if (token?.kind !== 'word' || !['START', 'WITHIN', 'REPEATS'].includes(token.value)) return
    if (isOnce && seen.has(token.value)) throw new PatternError(`duplicate ${token.value}`, token.at)
    seen.add(token.value)
    reader.at++
    if (token.value === 'START') {
      literal(reader, ['time'])
      expect(reader, 'STOP')
      literal(reader, ['time'])
    } else {
      const number = literal(reader, token.value === 'WITHIN' ? ['integer', 'float'] : ['integer'])
      if (number.value.startsWith('-')) throw new PatternError('expected a positive number', number.at)
      expect(reader, token.value === 'WITHIN' ? 'SECONDS' : 'TIMES')
    }
  }
}

function comparisons(reader: Reader): void {
  do comparison(reader)
  while (accept(reader, 'AND') || accept(reader, 'OR'))
}

function comparison(reader: Reader): void {
  if (accept(reader, '(')) {
    deeper(reader, () => comparisons(reader))
    expect(reader, ')')
    return
  }
  if (accept(reader, 'EXISTS')) {
    objectPath(reader)
    return
  }
  const path = objectPath(reader)
  const isNegated = accept(reader, 'NOT')
  const operator = peek(reader)
  const values = operands(reader)
  checkHashes(path.path, values, operator)
  if (operator && NAMING.has(operator.value) && !isNegated)
    reader.comparisons.push({ ...path, values: values.map(({ value }) => value) })
}

/** Parses the operator and its right-hand side. */
function operands(reader: Reader): Token[] {
  const operator = peek(reader)
  if (operator?.kind === 'operator') {
    reader.at++
    return [ORDERED.has(operator.value) ? literal(reader, [...LITERALS]) : value(reader)]
  }
  if (accept(reader, 'IN')) return set(reader)
  if (operator?.kind === 'word' && ON_TEXT.has(operator.value)) {
    reader.at++
    return [literal(reader, ['text'])]
  }
  throw unexpected(reader, 'a comparison')
}

function set(reader: Reader): Token[] {
  expect(reader, '(')
  if (accept(reader, ')')) return []
  const values = [value(reader)]
  while (accept(reader, ',')) values.push(value(reader))
  expect(reader, ')')
  return values
}

/** Parses a literal of any kind, including true and false. */
function value(reader: Reader): Token {
  const token = peek(reader)
  const isBoolean = token?.kind === 'word' && (token.value === 'true' || token.value === 'false')
  if (!isBoolean) return literal(reader, [...LITERALS])
  reader.at++
  return token
}

function literal(reader: Reader, kinds: readonly Token['kind'][]): Token {
  const token = peek(reader)
  if (!token || !kinds.includes(token.kind)) throw unexpected(reader, `a ${kinds[0]}`)
  reader.at++
  return token
}

function objectPath(reader: Reader): { objectType: string; path: string[] } {
  const objectType = word(reader, 'an object type', true)
  expect(reader, ':')
  const path = [step(reader)]
  for (;;) {
    if (accept(reader, '.')) path.push(step(reader))
    else if (accept(reader, '[')) {
      path.push(accept(reader, '*') ? '*' : literal(reader, ['integer']).value)
      expect(reader, ']')
    } else return { objectType, path }
  }
}

function step(reader: Reader): string {
  const token = peek(reader)
  if (token?.kind !== 'text') return word(reader, 'a property name', false)
  reader.at++
  return token.value
}

function word(reader: Reader, wanted: string, mayHaveHyphens: boolean): string {
  const token = peek(reader)
  const isWord = token?.kind === 'word' && !KEYWORDS.has(token.value) && (mayHaveHyphens || !token.value.includes('-'))
  if (!isWord) throw unexpected(reader, wanted)
  reader.at++
  return token.value
}

/** A hash that is compared for equality must have the number of digits of its algorithm. */
function checkHashes(path: readonly string[], values: readonly Token[], operator: Token | undefined): void {
  const digits = HASH_DIGITS[(path[1] ?? '').replaceAll('-', '').toUpperCase()]
  if (path[0] !== 'hashes' || digits === undefined || (operator?.kind !== 'operator' && operator?.value !== 'IN'))
    return
  for (const { kind, value, at } of values) {
    if (kind === 'text' && !(value.length === digits && /^[\da-f]*$/i.test(value)))
      throw new PatternError(`'${value.slice(0, 40)}' is not a valid ${path[1]} hash`, at)
  }
}
