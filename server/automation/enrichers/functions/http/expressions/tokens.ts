/** An expression that cannot be read. The message begins with the column. */
export class ExpressionError extends Error {
  constructor(position: number, what: string) {
    super(`column ${position + 1}: ${what}`)
  }
}

export interface Token {
  readonly kind: 'name' | 'quoted' | 'text' | 'number' | 'variable' | 'sign' | 'end'
  readonly text: string
  readonly position: number
}

const SPACE = /\s+/y
const NAME = /[A-Za-z_][A-Za-z0-9_-]*/y
const NUMBER = /-?\d{1,15}(?:\.\d{1,15})?/y
const VARIABLE = /\$[a-z]*/y
const SIGN = /\[\?|\|\||&&|==|!=|<=|>=|[[\].*@()!<>,]/y

/** Splits an expression in one pass. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  const take = (form: RegExp, at: number): string | undefined => {
    form.lastIndex = at
    return form.exec(source)?.[0]
  }
  for (let at = 0; at < source.length; ) {
    const space = take(SPACE, at)
    if (space !== undefined) {
      at += space.length
      continue
    }
    const first = source[at]
    if (first === "'" || first === '"') {
      const { text, end } = readText(source, at)
      tokens.push({ kind: first === "'" ? 'text' : 'quoted', text, position: at })
      at = end
      continue
    }
    const token = readToken(take, at)
    if (!token) throw new ExpressionError(at, `'${source.slice(at, at + 1)}' is not expected`)
    tokens.push({ ...token, position: at })
    at += token.text.length
  }
  return [...tokens, { kind: 'end', text: '', position: source.length }]
}

function readToken(take: (form: RegExp, at: number) => string | undefined, at: number): Omit<Token, 'position'> | null {
  const forms = [
    ['name', NAME],
    ['number', NUMBER],
    ['variable', VARIABLE],
    ['sign', SIGN],
  ] as const
  for (const [kind, form] of forms) {
    const text = take(form, at)
    if (text !== undefined) return { kind, text }
  }
  return null
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** A text in quotes, in which a backslash stands before a quote, a backslash, or n, t and r. */
function readText(source: string, start: number): { text: string; end: number } {
  const quote = source[start]
  const parts: string[] = []
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at] ?? ''
    if (character === quote) return { text: parts.join(''), end: at + 1 }
    if (character !== '\\') parts.push(character)
    else {
      const escaped = source[++at] ?? ''
      if (!['\\', "'", '"', 'n', 't', 'r'].includes(escaped)) {
        throw new ExpressionError(at - 1, 'a backslash stands only before a quote, a backslash, n, t or r')
      }
      parts.push(ESCAPES[escaped] ?? escaped)
    }
  }
  throw new ExpressionError(start, 'the text has no closing quote')
}
