import type { Clause, Occur, Query } from './ast.ts'
import { withoutCodes, withoutEscapes } from './escapes.ts'
import type { Written, WrittenClause, WrittenEnd, WrittenPart, WrittenRange, WrittenText } from './grammar.js'
import { QueryError } from './query-error.ts'

/** The operator between clauses that are separated by nothing but space. */
export type Operator = 'OR' | 'AND'

/** The maximum length of a regular expression. */
export const MAX_REGEXP_LENGTH = 1_000

/** Longer or larger numbers would be meaningless, and could not be printed without an exponent. */
const MAX_NUMBER_LENGTH = 30
const NUMBER_BOUND = 1e21

const MAX_SLOP = 2 ** 31 - 1

/** Converts the syntax tree of the parser to a query. */
export function understand(clauses: readonly WrittenClause[], operator: Operator): Query {
  return clauses.length === 0 ? { kind: 'all' } : join(clauses, null, operator)
}

/**
 * As in Lucene's parser, AND does not bind tighter than OR: it makes the clauses to its left and right mandatory, whatever else is
 * on the same level. Only parentheses give precedence.
 */
function join(written: readonly WrittenClause[], field: string | null, operator: Operator): Query {
  const clauses: Clause[] = []
  for (const { conjunction, sign, part } of written) {
    const last = clauses.at(-1)
    const before = occurBefore(conjunction, operator)
    if (last && before && last.occur !== 'must_not') clauses[clauses.length - 1] = { ...last, occur: before }
    clauses.push({ occur: occurOf(conjunction, sign, operator), query: meaning(part, field, operator) })
  }
  const [first] = clauses
  return first && clauses.length === 1 && written[0]?.sign === null ? first.query : { kind: 'bool', clauses }
}

function occurBefore(conjunction: WrittenClause['conjunction'], operator: Operator): Occur | undefined {
  if (conjunction === 'and') return 'must'
  return conjunction === 'or' && operator === 'AND' ? 'should' : undefined
}

function occurOf(conjunction: WrittenClause['conjunction'], sign: WrittenClause['sign'], operator: Operator): Occur {
  if (sign === '-') return 'must_not'
  if (operator === 'AND') return conjunction === 'or' ? 'should' : 'must'
  return sign === '+' || conjunction === 'and' ? 'must' : 'should'
}

function meaning(part: WrittenPart, inherited: string | null, operator: Operator): Query {
  const field = part.field ? withoutEscapes(part.field) : inherited
  const query = part.type === 'group' ? join(part.clauses, field, operator) : leaf(part, field)
  return part.boost ? { kind: 'boost', query, factor: number(part.boost) } : query
}

function leaf(part: Exclude<WrittenPart, { type: 'group' }>, field: string | null): Query {
  if (field === '_exists_') return exists(part)
  if (part.type === 'range') return range(part, field)
  if (part.type === 'comparison') return comparison(field, part.operator, withoutEscapes(part.text), part.start)
  if (part.type === 'phrase') return phrase(part, field)
  if (part.type === 'regexp') return regexp(part, field)
  return word(part, field)
}

function exists(part: WrittenPart): Query {
  const isName = (part.type === 'word' && !part.fuzziness) || part.type === 'phrase'
  const field = isName ? withoutEscapes(part.text) : ''
  if (field === '')
    throw new QueryError('_exists_ must be followed by the name of a field, as in _exists_:tags.', part.start)
  return field === '*' ? { kind: 'all' } : { kind: 'exists', field }
}

function range({ from, to, includesFrom, includesTo }: WrittenRange, field: string | null): Query {
  const end = (written: WrittenEnd) => (written.raw === '*' && !written.isQuoted ? null : withoutEscapes(written))
  return { kind: 'range', field, from: end(from), to: end(to), includesFrom, includesTo }
}

function comparison(field: string | null, operator: string, value: string, start: number): Query {
  if (field === null) throw new QueryError(`${operator} needs a field, as in confidence:${operator}5.`, start)
  const open = { kind: 'range', field, from: null, to: null, includesFrom: true, includesTo: true } as const
  const isInclusive = operator.endsWith('=')
  if (operator.startsWith('>')) return { ...open, from: value, includesFrom: isInclusive }
  return { ...open, to: value, includesTo: isInclusive }
}

function phrase({ text, fuzziness }: WrittenText, field: string | null): Query {
  const slop = fuzziness ? Math.min(Math.trunc(number(fuzziness)), MAX_SLOP) : 0
  return { kind: 'phrase', field, text: withoutEscapes(text), slop }
}

function regexp({ text: { raw }, start }: WrittenText, field: string | null): Query {
  if (raw.length > MAX_REGEXP_LENGTH) {
    throw new QueryError(`A regular expression can have at most ${MAX_REGEXP_LENGTH} characters.`, start)
  }
  return { kind: 'regexp', field, pattern: raw }
}

function word({ text: written, fuzziness }: WrittenText, field: string | null): Query {
  const { raw, start } = written
  const operator = field === null ? undefined : /^[<>]=?/.exec(raw)?.[0]
  const wildcard = raw.replaceAll(/\\[\s\S]/g, '__').search(/[*?]/)
  if (operator !== undefined) {
    const isValue = wildcard === -1 && !fuzziness && raw !== operator
    if (!isValue)
      throw new QueryError(`${operator} must be followed directly by a plain value, as in ${operator}5.`, start)
    const value = { raw: raw.slice(operator.length), start: start + operator.length }
    return comparison(field, operator, withoutEscapes(value), start)
  }
  if (raw === '*') return field === null || field === '*' ? { kind: 'all' } : { kind: 'exists', field }
  if (wildcard === raw.length - 1 && raw.endsWith('*')) {
    return { kind: 'prefix', field, text: withoutEscapes({ raw: raw.slice(0, -1), start }) }
  }
  if (wildcard !== -1) return { kind: 'wildcard', field, pattern: withoutCodes(written) }
  const text = withoutEscapes(written)
  return fuzziness ? { kind: 'fuzzy', field, text, edits: edits(fuzziness, text) } : { kind: 'term', field, text }
}

/** Reads a fuzziness: from 1 on it is the number of edits, below 1 the share of the text that must stay unchanged. */
function edits(fuzziness: Written, text: string): 0 | 1 | 2 {
  if (fuzziness.raw === '') return 2
  // Lucene uses single precision, which can change the result of comparisons.
  const value = Math.fround(number(fuzziness))
  if (value > 1 && !Number.isInteger(value)) {
    throw new QueryError('~ must be followed by 0, 1 or 2 edits, or by a similarity below 1.', fuzziness.start)
  }
  if (value === 0) return 0
  const most = value >= 1 ? value : Math.trunc((1 - value) * [...text].length)
  return most >= 2 ? 2 : most === 1 ? 1 : 0
}

function number({ raw, start }: Written): number {
  const value = Number(raw)
  if (raw.length <= MAX_NUMBER_LENGTH && value < NUMBER_BOUND) return value
  throw new QueryError('This number is too long.', start)
}
