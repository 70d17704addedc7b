import { parseTimestamp } from '../../domain/timestamp.ts'
import type { Bounds } from '../../search/query/ast.ts'
import { readTime } from '../../search/query/moments.ts'
import { CALENDAR_UNITS, type CalendarUnit, fromLocal, startOfUnit, toLocal } from './local-time.ts'

/** A time as the model describes it. It never calculates a date. */
export interface AskedTime {
  readonly kind: 'last' | 'next' | 'calendar' | 'dates'
  readonly amount: number | null
  readonly unit: string | null
  readonly from: string | null
  readonly to: string | null
}

export const TIME_KINDS = ['last', 'next', 'calendar', 'dates'] as const
export const TIME_UNITS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const

/** The time and place at which a question is asked. */
export interface Asked {
  readonly at: number
  /** The time zone of the installation. */
  readonly zone: string
}

/** A span of time as ends of a query: `from` inclusive; `to` exclusive unless it includes its whole day. */
export interface Span {
  readonly from: string | null
  readonly to: string | null
  readonly includesTo: boolean
  readonly words: string
}

type Read = { readonly span: Span } | { readonly fault: string }

const MATHS: Readonly<Record<string, { sign: string; factor: number }>> = {
  hour: { sign: 'h', factor: 1 },
  day: { sign: 'd', factor: 1 },
  week: { sign: 'w', factor: 1 },
  month: { sign: 'M', factor: 1 },
  quarter: { sign: 'M', factor: 3 },
  year: { sign: 'y', factor: 1 },
}
const MOST_UNITS = 10_000

/** The span that a time means. */
export function readSpan(time: AskedTime, asked: Asked): Read {
  if (time.kind === 'dates') return readDates(time, asked)
  const { amount, unit } = time
  if (amount === null || !Number.isInteger(amount) || Math.abs(amount) > MOST_UNITS)
    return { fault: `The number of units must be a whole number up to ${MOST_UNITS}.` }
  return time.kind === 'calendar' ? readCalendar(amount, unit, asked) : readRolling(time.kind, amount, unit, asked)
}

/** Stays relative, because it means the same in every time zone and later. */
function readRolling(kind: 'last' | 'next', amount: number, unit: string | null, { at }: Asked): Read {
  const maths = unit !== null && Object.hasOwn(MATHS, unit) ? MATHS[unit] : undefined
  if (!maths) return { fault: noUnit(unit, TIME_UNITS) }
  if (amount < 1) return { fault: 'The number of units must be at least 1.' }
  const end = `now${kind === 'last' ? '-' : '+'}${amount * maths.factor}${maths.sign}`
  const moment = readTime(end, { at, offset: 0 })
  if (!moment || !isInRange(moment.from)) return { fault: 'The time is too far away.' }
  const words = `${kind} ${amount === 1 ? unit : `${amount} ${unit}s`}`
  const [from, to] = kind === 'last' ? [end, 'now'] : ['now', end]
  return { span: { from, to, includesTo: true, words: `in the ${words}` } }
}

function readCalendar(by: number, unit: string | null, { at, zone }: Asked): Read {
  const known = CALENDAR_UNITS.find((each) => each === unit)
  if (!known) return { fault: noUnit(unit, CALENDAR_UNITS) }
  const local = toLocal(zone, at)
  return spanOf(startOfUnit(local, known, by), startOfUnit(local, known, by + 1), zone)
}

function readDates({ from, to }: AskedTime, { zone }: Asked): Read {
  if (from === null && to === null) return { fault: 'The dates are missing.' }
  const [first, last] = [from, to].map((text) => (text === null ? null : readDate(text, zone)))
  if (first === undefined || last === undefined)
    return { fault: `'${(first === undefined ? from : to)?.slice(0, 40)}' is not a date such as 2026-01-29.` }
  return spanOf(first?.from ?? null, last?.to ?? null, zone)
}

interface LocalSpan {
  readonly from: number
  readonly to: number
}

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/

/** A year, a month, a day or a moment, in local time. */
function readDate(text: string, zone: string): LocalSpan | undefined {
  const written = text.trim()
  const [isDate, year, month, day] = DATE.exec(written) ?? []
  if (!isDate) {
    const moment = Date.parse(parseTimestamp(written) ?? '')
    return Number.isNaN(moment) ? undefined : { from: toLocal(zone, moment), to: toLocal(zone, moment) + 1 }
  }
  const unit: CalendarUnit = day ? 'day' : month ? 'month' : 'year'
  // Refuses days such as 2026-02-30.
  const read = readTime(`${year}-${month ?? '01'}-${day ?? '01'}`, { at: 0, offset: 0 })
  return read && { from: startOfUnit(read.from, unit, 0), to: startOfUnit(read.from, unit, 1) }
}

const DAY_MS = 86_400_000

function spanOf(from: number | null, to: number | null, zone: string): Read {
  if (from !== null && to !== null && from >= to) return { fault: 'The time ends before it begins.' }
  const [start, end] = [from, to].map((local) => (local === null ? null : fromLocal(zone, local)))
  if ([start, end].some((moment) => typeof moment === 'number' && !isInRange(moment)))
    return { fault: 'The time is too far away.' }
  const words = wordsOf(from, to, zone)
  const isDays = [start, end].every((moment) => typeof moment !== 'number' || moment % DAY_MS === 0)
  // Days are easier to read and change than moments.
  if (isDays) return { span: { from: dayOf(start), to: dayOf(before(end)), includesTo: true, words } }
  return { span: { from: momentOf(start), to: momentOf(end), includesTo: false, words } }
}

const before = (end: number | null | undefined): number | null => (typeof end === 'number' ? end - DAY_MS : null)
const dayOf = (moment: number | null | undefined): string | null => momentOf(moment)?.slice(0, 10) ?? null
const momentOf = (moment: number | null | undefined): string | null =>
  typeof moment === 'number' ? new Date(moment).toISOString().replace('.000Z', 'Z') : null

const [FIRST, LAST] = [Date.UTC(1000, 0, 1), Date.UTC(9998, 0, 1)]
const isInRange = (moment: number): boolean => moment >= FIRST && moment <= LAST

function wordsOf(from: number | null, to: number | null, zone: string): string {
  const shown = (local: number) => {
    const text = new Date(local).toISOString()
    return local % DAY_MS === 0 ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
  }
  const isDay = to !== null && to % DAY_MS === 0
  const last = to === null ? null : shown(isDay ? to - DAY_MS : to)
  if (from === null) return `up to ${last} (${zone})`
  if (last === null) return `from ${shown(from)} on (${zone})`
  return shown(from) === last ? `on ${last} (${zone})` : `from ${shown(from)} to ${last} (${zone})`
}

const noUnit = (unit: string | null, units: readonly string[]): string =>
  unit === null ? 'The unit of time is missing.' : `'${unit.slice(0, 40)}' is not one of ${units.join(', ')}.`

/** The end of a range that begins with a span, ends with it, or lies before or after it. */
export type Side = 'in' | 'before' | 'after' | 'from' | 'until'

/** The range that lies on this side of a span, or nothing if the span is open there. */
export function rangeOf({ from, to, includesTo }: Span, side: Side): Bounds<string> | undefined {
  if (side === 'in') return { from, to, includesFrom: true, includesTo }
  if (side === 'before')
    return from === null ? undefined : { from: null, to: from, includesFrom: true, includesTo: false }
  if (side === 'from') return from === null ? undefined : { from, to: null, includesFrom: true, includesTo: true }
  if (to === null) return undefined
  return side === 'until'
    ? { from: null, to, includesFrom: true, includesTo }
    : { from: to, to: null, includesFrom: !includesTo, includesTo: true }
}
