import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Bounds, Query } from '../query/ast.ts'
import { expressionTest } from '../query/expression-test.ts'
import { type Now, readTime, type TimeSpan } from '../query/moments.ts'
import { differsByAtMost, expressionOf, likeOf, wildcardTest } from '../query/patterns.ts'
import { foldCase } from '../words.ts'

/** The part of a query that searches one field. */
export type Leaf = Exclude<Query, { kind: 'all' | 'exists' | 'boost' | 'bool' }>

/** Whether a leaf looks for a plain text. */
export const isPlain = (leaf: Leaf): leaf is Extract<Leaf, { kind: 'term' | 'phrase' }> =>
  leaf.kind === 'term' || leaf.kind === 'phrase'

/** Whether a leaf matches any value. */
export const isOpen = (leaf: Leaf): boolean => leaf.kind === 'range' && leaf.from === null && leaf.to === null

const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

const numberOf = (text: string): number | undefined => {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** The numbers that a leaf looks for, or undefined if it does not look for numbers. */
export function numbersOf(leaf: Leaf): Bounds<number> | undefined {
  if (isPlain(leaf)) {
    const value = numberOf(leaf.text)
    return value === undefined ? undefined : { from: value, to: value, includesFrom: true, includesTo: true }
  }
  return leaf.kind === 'range' ? boundsOf(leaf, numberOf) : undefined
}

/** Times from `from` inclusive to `to` exclusive. Null for an open end. */
export type Times = Pick<Bounds<number>, 'from' | 'to'>

/** The times that a leaf looks for, or undefined if it does not look for times. */
export function timeOf(leaf: Leaf, now: Now): Times | undefined {
  const read = (text: string) => readTime(text, now)
  if (isPlain(leaf)) return read(leaf.text)
  if (leaf.kind !== 'range') return undefined
  const bounds = boundsOf<TimeSpan>(leaf, read)
  if (!bounds) return undefined
  const { from, to, includesFrom, includesTo } = bounds
  // An end stands for its whole unit: a range includes or excludes the whole day of its end.
  return { from: from && (includesFrom ? from.from : from.to), to: to && (includesTo ? to.to : to.from) }
}

function boundsOf<T>(
  { from, to, includesFrom, includesTo }: Extract<Leaf, { kind: 'range' }>,
  read: (text: string) => T | undefined,
): Bounds<T> | undefined {
  const low = from === null ? null : read(from)
  const high = to === null ? null : read(to)
  return low === undefined || high === undefined || (low === null && high === null)
    ? undefined
    : { from: low, to: high, includesFrom, includesTo }
}

/** Tests strings in this process, for fields with a fixed set of values. */
export function testOf(leaf: Leaf): (text: string) => boolean {
  const tested = folding(leaf)
  return (text) => tested(foldCase(text))
}

function folding(leaf: Leaf): (text: string) => boolean {
  if (isPlain(leaf)) {
    const wanted = foldCase(leaf.text)
    return (text) => text === wanted
  }
  if (leaf.kind === 'prefix') {
    const start = foldCase(leaf.text)
    return (text) => text.startsWith(start)
  }
  if (leaf.kind === 'wildcard') {
    return wildcardTest(leaf.pattern)
  }
  if (leaf.kind === 'regexp') {
    return expressionTest(leaf.pattern)
  }
  if (leaf.kind === 'fuzzy') {
    const wanted = foldCase(leaf.text)
    return (text) => differsByAtMost(leaf.edits, wanted, text)
  }
  const low = leaf.from === null ? null : foldCase(leaf.from)
  const high = leaf.to === null ? null : foldCase(leaf.to)
  return (text) =>
    (low === null || byCodePoint(text, low) > 0 || (leaf.includesFrom && text === low)) &&
    (high === null || byCodePoint(text, high) < 0 || (leaf.includesTo && text === high))
}

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** A condition on a folded text in the database. */
export function matchesText(leaf: Leaf, text: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (isPlain(leaf)) return sql`${text} = ${foldCase(leaf.text)}::text`
  if (leaf.kind === 'prefix') return sql`starts_with(${text}, ${foldCase(leaf.text)}::text)`
  if (leaf.kind === 'wildcard') return sql`${text} like ${likeOf(leaf.pattern)}::text`
  if (leaf.kind === 'regexp') return sql`${text} ~ ${expressionOf(leaf.pattern)}::text`
  if (leaf.kind === 'fuzzy') return sql`is_within(${leaf.edits}, ${text}, ${foldCase(leaf.text)}::text)`
  return within(leaf, (operator, end) => sql`${text} collate "C" ${operator} ${foldCase(end)}::text`)
}

/** A condition on a number. */
export const matchesNumber = (wanted: Bounds<number>, number: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  within(wanted, (operator, end) => sql`${number} ${operator} ${end}::float8`)

/** A condition on a moment. */
export const matchesTime = (wanted: Times, moment: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  within(
    { ...wanted, includesFrom: true, includesTo: false },
    (operator, end) => sql`${moment} ${operator} ${momentText(end)}::timestamptz`,
  )

function within<T>(
  { from, to, includesFrom, includesTo }: Bounds<T>,
  compared: (operator: RawBuilder<unknown>, end: T) => RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  const low = from === null ? sql`true` : compared(sql.raw(includesFrom ? '>=' : '>'), from)
  const high = to === null ? sql`true` : compared(sql.raw(includesTo ? '<=' : '<'), to)
  return sql`(${low} and ${high})`
}

const FIRST_YEAR = Date.parse('0001-01-01T00:00:00Z')
const LAST_DAY = Date.UTC(9999, 11, 31)

/** A moment as PostgreSQL reads it: it has no year 0, and does not read longer years in this form. */
function momentText(moment: number): string {
  if (moment > LAST_DAY) return 'infinity'
  return moment < FIRST_YEAR ? '-infinity' : new Date(moment).toISOString()
}
