import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isoDay } from '../../search/days.ts'
import { isIdentifier } from '../../search/identifiers.ts'
import { dayField, dayLexeme, existsLexeme, keywordLexeme, numberField } from '../../search/lexemes.ts'
import { sortableNumber } from '../../search/numbers.ts'
import type { Now } from '../../search/query/moments.ts'
import { type Beginning, beginningsOf } from '../../search/query/prefixes.ts'
import { quote } from '../../search/title-query.ts'
import { type Bounds, type Leaf, matchesNumber, matchesText, matchesTime, numbersOf, timeOf } from './leaf.ts'
import { condition, every, index, NONE, type Part, some } from './parts.ts'

const DAY_MS = 86_400_000
const DAYS_IN_TEXT = '-0123456789'
const DIGITS = '0123456789~'

/** That there is a value at a place in the data of an entity, or below it. */
export const dataExists = (path: string): Part =>
  index(`${quote(existsLexeme(path))} | ${quote(existsLexeme(`${path}.`))}:*`)

/** What a leaf finds at a place in the data of an entity. What the index does not spell out is read again. */
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
  if (leaf.kind === 'term' || leaf.kind === 'phrase') {
    if (isIdentifier(leaf.text)) return every([dataExists(path), hasText(path, leaf)])
    const day = isoDay(leaf.text)
    // Of a date the index spells out the day alone.
    if (day !== undefined) return every([index(quote(dayLexeme(path, day))), hasText(path, leaf)])
    return leaf.text === '' ? NONE : index(quote(keywordLexeme(path, leaf.text)))
  }
  const isText = sql<SqlBool>`jsonb_typeof(v.value) = 'string'`
  const isOwn = leaf.kind === 'range' ? sql<SqlBool>`${isText} and moment_of(${TEXT}) is null` : isText
  return reread(path, sql`${isOwn} and ${matchesText(leaf, FOLDED)}`)
}

const TEXT = sql`(v.value #>> '{}')`
const FOLDED = sql`folded(${TEXT})`

const hasText = (path: string, leaf: Leaf): Part => condition(hasValue(sql`t.data`, path, matchesText(leaf, FOLDED)))

/** Looks at the values themselves, in the entities that have any there. */
const reread = (path: string, matching: RawBuilder<SqlBool>): Part =>
  every([dataExists(path), condition(hasValue(sql`t.data`, path, matching))])

/** Whether a document has a value at a place for which a condition on `v.value` holds. */
export const hasValue = (document: RawBuilder<unknown>, path: string, matching: RawBuilder<SqlBool>) =>
  sql<SqlBool>`exists (select from values_at(${document}, ${path.split('.')}::text[]) as v(value) where ${matching})`

function timePart(path: string, time: { from: number | null; to: number | null }): Part {
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

/** Days in the index have years of four digits. */
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

/** What a leaf finds in a document that the index does not have. */
export function documentPart(document: RawBuilder<unknown>, path: string, leaf: Leaf, now: Now): Part {
  const numbers = numbersOf(leaf)
  const time = timeOf(leaf, now)
  const isString = sql<SqlBool>`jsonb_typeof(v.value) = 'string'`
  const isBoolean = sql<SqlBool>`jsonb_typeof(v.value) = 'boolean'`
  const isPlain = leaf.kind === 'term' || leaf.kind === 'phrase'
  const alternatives = [
    ...(numbers
      ? [sql`case jsonb_typeof(v.value) when 'number' then ${matchesNumber(numbers, sql`(v.value)::float8`)} end`]
      : []),
    ...(time ? [sql`(${isString} and ${matchesTime(time, sql`moment_of(${TEXT})`)})`] : []),
    isPlain
      ? sql`((${isString} or ${isBoolean}) and ${matchesText(leaf, FOLDED)})`
      : sql`(${isString} and ${leaf.kind === 'range' ? sql`moment_of(${TEXT}) is null and ` : sql``}${matchesText(leaf, FOLDED)})`,
  ]
  return condition(hasValue(document, path, sql`(${sql.join(alternatives, sql` or `)})`))
}
