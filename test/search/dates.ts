import { isoDay } from '../../server/search/days.ts'

/** An interval in milliseconds that excludes its end. */
export interface Interval {
  readonly start: number
  readonly end: number
}

const LEAF = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?)?$/i
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/
const MATHS = /^(now|[^|]+\|\|)((?:[+-]\d*[yMwdhHms]|\/[yMwdhHms])*)$/

/** The moment of a date or time in an entity; undefined for any other text. */
export function momentOf(text: string): number | undefined {
  if (isoDay(text) === undefined) return undefined
  const [, day, minutes = '00:00', seconds = ':00', fraction = '', offset = 'Z'] = LEAF.exec(text) ?? []
  const zone = offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`
  // Precision beyond milliseconds is truncated.
  const moment = Date.parse(`${day}T${minutes}${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`)
  if (Number.isNaN(moment)) throw new Error(`'${text}' is a date, and is not read.`)
  return moment
}

/** The interval of a date expression in a query: a unit of time, or one millisecond; undefined for other texts. */
export function intervalOf(text: string, now: Date): Interval | undefined {
  if (MONTH.test(text)) return unitAt(Date.parse(`${text}-01T00:00:00Z`), 'M')
  const moment = plainMoment(text)
  if (moment !== undefined) return DAY.test(text) ? unitAt(moment, 'd') : momentary(moment)
  const [, anchor, operations = ''] = MATHS.exec(text) ?? []
  if (anchor === undefined) return undefined
  const start = anchor === 'now' ? now.getTime() : intervalOf(anchor.slice(0, -2), now)?.start
  return start === undefined ? undefined : calculate(start, operations)
}

const plainMoment = (text: string): number | undefined =>
  DAY.test(text) || TIME.test(text) ? momentOf(text) : undefined

const momentary = (start: number): Interval => ({ start, end: start + 1 })

function calculate(start: number, operations: string): Interval {
  let interval = momentary(start)
  for (const [operation] of operations.matchAll(/[+-]\d*[a-zA-Z]|\/[a-zA-Z]/g)) {
    const unit = operation.slice(-1)
    if (operation.startsWith('/')) {
      interval = unitAt(interval.start, unit)
    } else {
      const amount = Number(operation.slice(1, -1) || '1') * (operation.startsWith('-') ? -1 : 1)
      interval = { start: shift(interval.start, amount, unit), end: shift(interval.end, amount, unit) }
    }
  }
  return interval
}

/** The whole unit that contains a moment. */
function unitAt(moment: number, unit: string): Interval {
  const start = floor(new Date(moment), unit)
  return { start, end: shift(start, 1, unit) }
}

function floor(moment: Date, unit: string): number {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()]
  if (unit === 'y') return Date.UTC(year, 0)
  if (unit === 'M') return Date.UTC(year, month)
  // Sunday is the first day in JavaScript and the last one here.
  if (unit === 'w') return Date.UTC(year, month, day - ((moment.getUTCDay() + 6) % 7))
  const length = LENGTHS[unit] ?? 1
  return Math.floor(moment.getTime() / length) * length
}

const LENGTHS: Readonly<Record<string, number>> = {
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  H: 3_600_000,
  m: 60_000,
  s: 1_000,
}

function shift(moment: number, amount: number, unit: string): number {
  const length = LENGTHS[unit]
  if (length !== undefined) return moment + amount * length
  const date = new Date(moment)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + amount * (unit === 'y' ? 12 : 1)
  const [year, month] = [Math.floor(months / 12), months % 12]
  // A month after 31 January is the last day of February, not a day in March.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (moment - floor(date, 'd'))
}
