import { CALLS } from './calls.ts'
import { COMPARISONS, type Comparison, type Node, type Step, VARIABLES } from './node.ts'
import { ExpressionError, type Token, tokensOf } from './tokens.ts'

export const MAX_EXPRESSION_LENGTH = 1000
/** The deepest nesting of parentheses, filters and calls. */
const MAX_NESTING = 20

/** Parses an expression. Throws an `ExpressionError` that names the column. */
export function parseExpression(source: string): Node {
  if (source.length > MAX_EXPRESSION_LENGTH) {
    throw new ExpressionError(MAX_EXPRESSION_LENGTH, `expressions have at most ${MAX_EXPRESSION_LENGTH} characters`)
  }
  const tokens = new Tokens(tokensOf(source))
  const node = either(tokens)
  tokens.expectEnd()
  return node
}

class Tokens {
  readonly #tokens: readonly Token[]
  #at = 0
  #nesting = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', position: 0 }
  }

  take(): Token {
    const token = this.next
    this.#at++
    return token
  }

  /** Takes the sign if it is next. */
  has(sign: string): boolean {
    const isNext = this.next.kind === 'sign' && this.next.text === sign
    if (isNext) this.#at++
    return isNext
  }

  expect(sign: string): void {
    if (!this.has(sign)) throw this.fault(`'${sign}' is expected`)
  }

  expectEnd(): void {
    if (this.next.kind !== 'end') throw this.fault(`'${this.next.text}' is not expected`)
  }

  fault(what: string): ExpressionError {
    return new ExpressionError(this.next.position, what)
  }

  /** Reads something inside of something else. */
  nested<T>(read: (tokens: Tokens) => T): T {
    if (++this.#nesting > MAX_NESTING) throw this.fault(`expressions are nested at most ${MAX_NESTING} levels deep`)
    const result = read(this)
    this.#nesting--
    return result
  }
}

function either(tokens: Tokens): Node {
  let left = both(tokens)
  while (tokens.has('||')) left = { kind: 'either', left, right: both(tokens) }
  return left
}

function both(tokens: Tokens): Node {
  let left = comparison(tokens)
  while (tokens.has('&&')) left = { kind: 'both', left, right: comparison(tokens) }
  return left
}

function comparison(tokens: Tokens): Node {
  if (tokens.has('!')) return { kind: 'not', of: tokens.nested(comparison) }
  const left = path(tokens)
  const operator = COMPARISONS.find((sign) => tokens.has(sign)) as Comparison | undefined
  return operator ? { kind: 'compare', operator, left, right: path(tokens) } : left
}

function path(tokens: Tokens): Node {
  const of = start(tokens)
  const steps: Step[] = []
  // A name at the beginning is a member of the item at hand.
  if (of.kind === 'path') steps.push(...of.steps)
  for (let step = nextStep(tokens); step; step = nextStep(tokens)) steps.push(step)
  if (steps.length === 0) return of.kind === 'path' ? of.of : of
  return { kind: 'path', of: of.kind === 'path' ? of.of : of, steps }
}

function start(tokens: Tokens): Node {
  if (tokens.has('(')) {
    const inner = tokens.nested(either)
    tokens.expect(')')
    // The steps that follow the parentheses are taken from what is in them as a whole.
    return { kind: 'path', of: inner, steps: [] }
  }
  if (tokens.has('@')) return { kind: 'current' }
  const { kind, text } = tokens.next
  if (kind === 'text') return { kind: 'literal', value: tokens.take().text }
  if (kind === 'number') return { kind: 'literal', value: Number(tokens.take().text) }
  if (kind === 'variable') return variable(tokens)
  if (kind === 'quoted') return memberOf({ kind: 'current' }, tokens.take().text)
  if (kind !== 'name')
    throw tokens.fault(kind === 'end' ? 'the expression is not complete' : `'${text}' is not expected`)
  const name = tokens.take()
  if (tokens.has('(')) return call(tokens, name)
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' }
  return text === 'null' ? { kind: 'literal', value: null } : memberOf({ kind: 'current' }, text)
}

const memberOf = (of: Node, name: string): Node => ({ kind: 'path', of, steps: [{ kind: 'member', name }] })

function variable(tokens: Tokens): Node {
  const { text } = tokens.next
  if (text === '$') {
    tokens.take()
    return { kind: 'root' }
  }
  const name = VARIABLES.find((known) => text === `$${known}`)
  if (!name) throw tokens.fault(`'${text}' is none of $, ${VARIABLES.map((known) => `$${known}`).join(', ')}`)
  tokens.take()
  return { kind: 'variable', name }
}

function call(tokens: Tokens, { text: name, position }: Token): Node {
  const known = CALLS.get(name)
  if (!known) {
    throw new ExpressionError(position, `there is no function '${name}', only ${[...CALLS.keys()].sort().join(', ')}`)
  }
  const given: Node[] = []
  if (!tokens.has(')')) {
    do given.push(tokens.nested(either))
    while (tokens.has(','))
    tokens.expect(')')
  }
  if (given.length < known.least || given.length > known.most) {
    const wanted = known.least === known.most ? known.least : `${known.least} to ${known.most}`
    throw new ExpressionError(position, `${name} takes ${wanted} arguments, not ${given.length}`)
  }
  return { kind: 'call', name, given }
}

function nextStep(tokens: Tokens): Step | undefined {
  if (tokens.has('.')) {
    const { kind } = tokens.next
    if (kind !== 'name' && kind !== 'quoted') throw tokens.fault('the name of a member is expected')
    return { kind: 'member', name: tokens.take().text }
  }
  if (tokens.has('[?')) {
    const test = tokens.nested(either)
    tokens.expect(']')
    return { kind: 'filter', test }
  }
  if (!tokens.has('[')) return undefined
  const step: Step = tokens.has('*') ? { kind: 'all' } : { kind: 'index', index: index(tokens) }
  tokens.expect(']')
  return step
}

function index(tokens: Tokens): number {
  const { kind, text } = tokens.next
  if (kind !== 'number' || !/^-?\d{1,6}$/.test(text)) throw tokens.fault("a position or '*' is expected")
  return Number(tokens.take().text)
}
