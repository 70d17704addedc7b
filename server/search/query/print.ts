import type { Clause, Query } from './ast.ts'

const SIGNS = { must: '+', should: '', must_not: '-' } as const

const OPERATORS = new Set(['AND', 'OR', 'NOT', '&&', '||'])

/** Prints a query as text that parses to the same query. */
export function printQuery(query: Query): string {
  return query.kind === 'bool' ? printClauses(query.clauses) : printPart(query)
}

/** Escapes a text for a query, so that everything in it is read as plain words. */
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

/** Puts a boosted query into parentheses, because two boosts cannot follow each other. */
function printBoosted(query: Query): string {
  return query.kind === 'boost' ? `(${printPart(query)})` : printPart(query)
}

/** Prints a word with as few escapes as possible, so that `threat-actor` stays readable. */
function printWord(text: string): string {
  if (OPERATORS.has(text)) return `\\${text}`
  return text.replaceAll(/^[-+<>]|[!():^[\]"{}~*?\\/\s\u0085]/g, '\\$&')
}

function printEnd(end: string | null): string {
  if (end === null) return '*'
  return /^[\p{L}\p{N}_.:+-]+$/u.test(end) && end !== 'TO' ? end : quote(end)
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** Prints a number without an exponent, which the syntax does not support. */
function printNumber(value: number): string {
  const [digits = '', exponent] = String(value).split('e-')
  return exponent === undefined ? digits : `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`
}
