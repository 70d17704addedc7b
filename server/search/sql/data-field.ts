import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { and } from '../../engine/select.ts'
import { isoDay } from '../days.ts'
import { isIdentifier } from '../identifiers.ts'
import { LINKED } from '../leaves.ts'
import { dayField, dayLexeme, existsLexeme, keywordLexeme, numberField, quote } from '../lexemes.ts'
import { sortableNumber } from '../numbers.ts'
import type { Bounds } from '../query/ast.ts'
import type { Now } from '../query/moments.ts'
import { type Beginning, beginningsOf } from '../query/prefixes.ts'
import { isPlain, type Leaf, matchesNumber, matchesText, matchesTime, numbersOf, type Times, timeOf } from './leaf.ts'
import { condition, every, index, NONE, type Part, some } from './parts.ts'

const DAY_MS = 86_400_000
const DAYS_IN_TEXT = '-0123456789'
const DIGITS = '0123456789~'

/** A path in one of the documents of an entity. */
export interface Place {
  readonly document: 'data' | 'meta'
  readonly path: readonly string[]
}

/** The path with this field name, or undefined if it is not searched. */
export function placeOf(name: string): Place | undefined {
  const [document, ...path] = name.split('.')
  if (path.length === 0 || (document !== 'data' && document !== 'meta')) return undefined
  return document === 'data' && LINKED.has(path[0] ?? '') ? undefined : { document, path }
}

/** Finds entities that have a value at a path in data, or below it. */
export const dataExists = (path: string): Part =>
  index(`${quote(existsLexeme(path))} | ${quote(existsLexeme(`${path}.`))}:*`)

/** Searches a path in the data of an entity. Values that the index does not contain in full are compared in the document. */
export function dataPart(path: string, leaf: Leaf, now: Now): Part {
  const numbers = numbersOf(leaf)
  const time = timeOf(leaf, now)
  return some([
    numbers ? index(anyOf(numberField(path), numberBeginnings(numbers))) : NONE,
    time ? timePart(path, time) : NONE,
    stringPart(path, leaf),
  ])
}

function stringPart(path: string, leaf: Leaf): Part {
  const reread = (asked: Part, matching: RawBuilder<SqlBool>): Part =>
    every([asked, condition(hasValue(sql`t.data`, path, matching))])
  if (!isPlain(leaf)) return reread(dataExists(path), matchesString(leaf))
  const isSame = matchesText(leaf, FOLDED)
  if (isIdentifier(leaf.text)) return reread(dataExists(path), isSame)
  const day = isoDay(leaf.text)
  // The index only has the day of a time.
  if (day !== undefined) return reread(index(quote(dayLexeme(path, day))), isSame)
  return leaf.text === '' ? NONE : index(quote(keywordLexeme(path, leaf.text)))
}

const TEXT = sql`(v.value #>> '{}')`
const FOLDED = sql`folded(${TEXT})`
const IS_STRING = sql<SqlBool>`jsonb_typeof(v.value) = 'string'`

/** A condition on a string. Ranges of texts do not match times. */
const matchesString = (leaf: Leaf): RawBuilder<SqlBool> =>
  and([
    IS_STRING,
    ...(leaf.kind === 'range' ? [sql<SqlBool>`moment_of(${TEXT}) is null`] : []),
    matchesText(leaf, FOLDED),
  ])

/** Whether a document has a value at a path that meets a condition on `v.value`. */
export const hasValue = (document: RawBuilder<unknown>, path: string, matching: RawBuilder<SqlBool>) =>
  sql<SqlBool>`exists (select from values_at(${document}, ${path.split('.')}::text[]) as v(value) where ${matching})`

function timePart(path: string, time: Times): Part {
  const { from, to } = time
  if (from !== null && to !== null && from >= to) return NONE
  const days = {
    from: from === null ? null : dayOf(from),
    to: to === null ? null : dayOf(to - 1),
    includesFrom: true,
    includesTo: true,
  }
  const inDays = index(anyOf(dayField(path), beginningsOf(days, DAYS_IN_TEXT)))
  const isWhole = (moment: number | null) => moment === null || moment % DAY_MS === 0
  if (isWhole(from) && isWhole(to)) return inDays
  return every([inDays, condition(hasValue(sql`t.data`, path, matchesTime(time, sql`moment_of(${TEXT})`)))])
}

/** The day of a moment as in the index, where years have four digits. */
function dayOf(moment: number): string {
  if (moment < Date.UTC(0, 0, 1)) return '0000-00-00'
  return moment > Date.UTC(9999, 11, 31) ? '9999-99-99' : new Date(moment).toISOString().slice(0, 10)
}

const numberBeginnings = ({ from, to, includesFrom, includesTo }: Bounds<number>): Beginning[] =>
  beginningsOf(
    {
      from: from === null ? null : sortableNumber(from),
      to: to === null ? null : sortableNumber(to),
      includesFrom,
      includesTo,
    },
    DIGITS,
  )

const anyOf = (field: string, beginnings: readonly Beginning[]): string =>
  beginnings.length === 0
    ? `${quote(field)} & !${quote(field)}`
    : beginnings.map(({ text, isPrefix }) => `${quote(field + text)}${isPrefix ? ':*' : ''}`).join(' | ')

/** Searches a path in a document that is not in the index. */
export function documentPart(document: RawBuilder<unknown>, path: string, leaf: Leaf, now: Now): Part {
  const numbers = numbersOf(leaf)
  const time = timeOf(leaf, now)
  const alternatives = [
    ...(numbers
      ? [sql`case jsonb_typeof(v.value) when 'number' then ${matchesNumber(numbers, sql`(v.value)::float8`)} end`]
      : []),
    ...(time ? [sql`(${IS_STRING} and ${matchesTime(time, sql`moment_of(${TEXT})`)})`] : []),
    isPlain(leaf)
      ? sql`(jsonb_typeof(v.value) in ('string', 'boolean') and ${matchesText(leaf, FOLDED)})`
      : sql`(${matchesString(leaf)})`,
  ]
  return condition(hasValue(document, path, sql`(${sql.join(alternatives, sql` or `)})`))
}
