import { PatternError, tokensOf } from '../../../formats/stix2/pattern-tokens.ts'

/** A longer pattern is compared as it is. */
const MAX_PARSED = 100_000

/** The form in which patterns of indicators are compared; empty if there is none. White space and comments of STIX patterns do not count. */
export function normalisedPattern(data: Readonly<Record<string, unknown>>): string {
  const { pattern, pattern_type } = data
  if (typeof pattern !== 'string' || pattern.trim() === '') return ''
  const language = typeof pattern_type === 'string' && pattern_type !== '' ? pattern_type.toLowerCase() : 'stix'
  return `${language} ${language === 'stix' ? inTokens(pattern) : withUnixLines(pattern)}`
}

/** Kinds of tokens whose values do not show what they are. */
const LITERALS = new Set(['text', 'time', 'hex', 'binary'])

function inTokens(pattern: string): string {
  if (pattern.length > MAX_PARSED) return pattern
  try {
    return tokensOf(pattern)
      .map(({ kind, value }) => (LITERALS.has(kind) ? `${kind} ${JSON.stringify(value)}` : value))
      .join(' ')
  } catch (error) {
    if (error instanceof PatternError) return pattern.trim()
    throw error
  }
}

const withUnixLines = (text: string): string => text.replaceAll('\r\n', '\n').trim()
