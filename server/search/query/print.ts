import type { Clause, Query } from './ast.ts'

const SIGNS = { must: '+', should: '', must_not: '-' } as const

const OPERATORS = new Set(['AND', 'OR', 'NOT', '&&', '||'])

/** Writes a query so that it reads as the same again. */
export function printQuery(query: Query): string {
  return query.kind === 'bool' ? printClauses(query.clauses) : printPart(query)
}

/** Makes a text safe to put into a query: what it holds are then words, whatever they look like. */
export function escapeText(text: string): string {
  return text
    .replaceAll(/[-+!():^[\]"{}~*?\\/|&<>]/g, '\\$&')
    .replaceAll(/(?<![^\s\u0085])(?:AND|OR|NOT)(?![^\s\u0085])/g, '\\$&')
}

function printClauses(clauses: readonly Clause[]): string {
  return clauses.map(({ occur, query }) => `${SIGNS[occur]}${printPart(query)}`).join(' ')
}

function printPart(query: Query): string {
  switch (query.kind) {
    case 'all':
      return '*:*'
    case 'bool':
      return `(${printClauses(query.clauses)})`
    case 'boost':
      return `${printBoosted(query.query)}^${printNumber(query.factor)}`
    case 'exists':
      return `_exists_:${printWord(query.field)}`
    default:
      return `${query.field === null ? '' : `${printWord(query.field)}:`}${printValue(query)}`
  }
}

type Valued = Exclude<Query, { kind: 'all' | 'bool' | 'boost' | 'exists' }>

function printValue(query: Valued): string {
  switch (query.kind) {
    case 'term':
      return printWord(query.text)
    case 'phrase':
      return `${quote(query.text)}${query.slop === 0 ? '' : `~${query.slop}`}`
    case 'prefix':
      return `${printWord(query.text)}*`
    case 'wildcard':
      return query.pattern
    case 'fuzzy':
      return `${printWord(query.text)}~${query.edits}`
    case 'regexp':
      return `/${query.pattern}/`
    case 'range': {
      const { from, to, includesFrom, includesTo } = query
      return `${includesFrom ? '[' : '{'}${printEnd(from)} TO ${printEnd(to)}${includesTo ? ']' : '}'}`
    }
  }
}

/** Two boosts cannot follow each other. */
function printBoosted(query: Query): string {
  return query.kind === 'boost' ? `(${printPart(query)})` : printPart(query)
}

/** As few escapes as will do, so that `threat-actor` stays readable. */
function printWord(text: string): string {
  if (OPERATORS.has(text)) return `\\${text}`
  return text.replaceAll(/^[-+<>]|[!():^[\]"{}~*?\\/\s\u0085]/g, '\\$&')
}

function printEnd(end: string | null): string {
  if (end === null) return '*'
  return /^[\p{L}\p{N}_.:+-]+$/u.test(end) && end !== 'TO' ? end : quote(end)
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** Without an exponent, which a query cannot have. */
function printNumber(value: number): string {
  const [digits = '', exponent] = String(value).split('e-')
  return exponent === undefined ? digits : `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`
}
