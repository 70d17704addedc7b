/** A token of a pattern. */
export interface Token {
  readonly kind: 'word' | 'text' | 'integer' | 'float' | 'time' | 'hex' | 'binary' | 'operator' | 'punctuation'
  /** The token text; for string literals without quotes and escapes. */
  readonly value: string
  readonly at: number
}

/** A syntax error in a pattern and its position. */
export class PatternError extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const TIME = /t'(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?Z)'/y
const HEX = /h'((?:[\da-fA-F]{2})*)'/y
const BINARY = /b'((?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?)'/y
const TEXT = /'((?:[^'\\]|\\['\\])*)'/y
// No float starts after a digit that is a token of its own. Otherwise a run of zeros would be scanned to its end from every position.
const FLOAT = /(?:[+-]|(?<!\d))\d*\.\d+/y
const INTEGER = /[+-]?(?:0|[1-9]\d*)/y
const WORD = /[A-Za-z_][A-Za-z\d_-]*/y
const OPERATOR = /==|!=|<>|<=|>=|[=<>]/y
const PUNCTUATION = /[[\](),.:*]/y
// White space and comments, as defined by the grammar of the specification.
const SPACE = /(?:\s+|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\/\/[^\r\n]*)+/y

const KINDS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['time', TIME],
  ['hex', HEX],
  ['binary', BINARY],
  ['text', TEXT],
  ['float', FLOAT],
  ['integer', INTEGER],
  ['word', WORD],
  ['operator', OPERATOR],
  ['punctuation', PUNCTUATION],
]

/** Splits a pattern into tokens. Each character is visited a bounded number of times. */
export function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < pattern.length) {
    SPACE.lastIndex = at
    if (SPACE.test(pattern)) {
      at = SPACE.lastIndex
      continue
    }
    const token = tokenAt(pattern, at)
    if (!token) throw new PatternError(`unexpected character '${pattern.charAt(at)}'`, at)
    tokens.push(token.token)
    at = token.end
  }
  return tokens
}

function tokenAt(pattern: string, at: number): { token: Token; end: number } | undefined {
  for (const [kind, form] of KINDS) {
    form.lastIndex = at
    const match = form.exec(pattern)
    if (!match) continue
    const value = match[1] ?? match[0]
    const plain = kind === 'text' ? value.replace(/\\(['\\])/g, '$1') : value
    return { token: { kind, value: plain, at }, end: form.lastIndex }
  }
  return undefined
}
