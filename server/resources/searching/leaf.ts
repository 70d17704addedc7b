import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Query } from '../../search/query/ast.ts'
import { type Now, readTime, type TimeSpan } from '../../search/query/moments.ts'
import { expressionOf, isWithin, likeOf, wildcardExpression } from '../../search/query/patterns.ts'
import { foldCase } from '../../search/words.ts'

/** What is looked for in one field. */
export type Leaf = Exclude<Query, { kind: 'all' | 'exists' | 'boost' | 'bool' }>

/** Ends of a range; one that is open is null. */
export interface Bounds<T> {
  readonly from: T | null
  readonly to: T | null
  readonly includesFrom: boolean
  readonly includesTo: boolean
}

const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/

const numberOf = (text: string): number | undefined => {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** The numbers that a leaf looks for; undefined where it looks for something else. */
export function numbersOf(leaf: Leaf): Bounds<number> | undefined {
  if (leaf.kind === 'term' || leaf.kind === 'phrase') {
    const value = numberOf(leaf.text)
    return value === undefined ? undefined : { from: value, to: value, includesFrom: true, includesTo: true }
  }
  return leaf.kind === 'range' ? boundsOf(leaf, numberOf) : undefined
}

/** The time that a leaf looks for, from a moment up to but without another; undefined where it looks for something else. */
export function timeOf(leaf: Leaf, now: Now): { from: number | null; to: number | null } | undefined {
  const read = (text: string) => readTime(text, now)
  if (leaf.kind === 'term' || leaf.kind === 'phrase') return read(leaf.text)
  if (leaf.kind !== 'range') return undefined
  const bounds = boundsOf<TimeSpan>(leaf, read)
  if (!bounds) return undefined
  const { from, to, includesFrom, includesTo } = bounds
  // An end stands for the whole of its unit: a range up to a day has that day in it, one that excludes it has nothing of it.
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

/** A test of a whole string, for what is known here. */
export function testOf(leaf: Leaf): (text: string) => boolean {
  const tested = folding(leaf)
  return (text) => tested(foldCase(text))
}

function folding(leaf: Leaf): (text: string) => boolean {
  if (leaf.kind === 'term' || leaf.kind === 'phrase') {
    const wanted = foldCase(leaf.text)
    return (text) => text === wanted
  }
  if (leaf.kind === 'prefix') {
    const start = foldCase(leaf.text)
    return (text) => text.startsWith(start)
  }
  if (leaf.kind === 'wildcard') {
    const expression = wildcardExpression(leaf.pattern)
    return (text) => expression.test(text)
  }
  if (leaf.kind === 'regexp') {
    const expression = new RegExp(expressionOf(leaf.pattern), 'u')
    return (text) => expression.test(text)
  }
  if (leaf.kind === 'fuzzy') {
    const wanted = foldCase(leaf.text)
    return (text) => isWithin(leaf.edits, wanted, text)
  }
  const low = leaf.from === null ? null : foldCase(leaf.from)
  const high = leaf.to === null ? null : foldCase(leaf.to)
  return (text) =>
    (low === null || byCodePoint(text, low) > 0 || (leaf.includesFrom && text === low)) &&
    (high === null || byCodePoint(text, high) < 0 || (leaf.includesTo && text === high))
}

const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** A condition on a text that is in lower case already, for what only the database knows. */
export function matchesText(leaf: Leaf, text: RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (leaf.kind === 'term' || leaf.kind === 'phrase') return sql`${text} = ${foldCase(leaf.text)}::text`
  if (leaf.kind === 'prefix') return sql`starts_with(${text}, ${foldCase(leaf.text)}::text)`
  if (leaf.kind === 'wildcard') return sql`${text} like ${likeOf(leaf.pattern)}::text`
  if (leaf.kind === 'regexp') return sql`${text} ~ ${expressionOf(leaf.pattern)}::text`
  if (leaf.kind === 'fuzzy') return sql`is_within(${leaf.edits}, ${text}, ${foldCase(leaf.text)}::text)`
  const low = leaf.from === null ? sql`true` : compared(text, leaf.includesFrom ? '>=' : '>', leaf.from)
  const high = leaf.to === null ? sql`true` : compared(text, leaf.includesTo ? '<=' : '<', leaf.to)
  return sql`(${low} and ${high})`
}

const compared = (text: RawBuilder<unknown>, operator: string, end: string): RawBuilder<SqlBool> =>
  sql`${text} collate "C" ${sql.raw(operator)} ${foldCase(end)}::text`

/** A condition on a number. */
export function matchesNumber({ from, to, includesFrom, includesTo }: Bounds<number>, number: RawBuilder<unknown>) {
  const low = from === null ? sql`true` : sql`${number} ${sql.raw(includesFrom ? '>=' : '>')} ${from}::float8`
  const high = to === null ? sql`true` : sql`${number} ${sql.raw(includesTo ? '<=' : '<')} ${to}::float8`
  return sql<SqlBool>`(${low} and ${high})`
}

/** A condition on a moment. */
export function matchesTime({ from, to }: { from: number | null; to: number | null }, moment: RawBuilder<unknown>) {
  const low = from === null ? sql`true` : sql`${moment} >= ${momentText(from)}::timestamptz`
  const high = to === null ? sql`true` : sql`${moment} < ${momentText(to)}::timestamptz`
  return sql<SqlBool>`(${low} and ${high})`
}

/** PostgreSQL does not read years of more than four digits in this form. */
function momentText(moment: number): string {
  if (moment > Date.UTC(9999, 11, 31)) return 'infinity'
  return moment < Date.UTC(0, 0) ? '-infinity' : new Date(moment).toISOString()
}
