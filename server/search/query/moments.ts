import { offsetMinutes, readIsoTime } from '../../domain/timestamp.ts'

/** A span of time in milliseconds since 1970, from `from` inclusive to `to` exclusive. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** The time that `now` stands for, and the offset of the caller's time zone from UTC, both in milliseconds. */
export interface Now {
  readonly at: number
  readonly offset: number
}

const MONTH = /^\d{4}-\d{2}$/
const DAY_MS = 86_400_000
const MATHS = /^(?:([+-])(\d{0,9})([yMwdhHms])|\/([yMwdhHms]))/

/**
 * Reads a date, a time or date maths (`now-7d/d`, `2025-01-10||+1M`) as a span: a month, a day, a rounded unit, or a single
 * millisecond. Days and times without a zone are in the time zone of the caller. Returns undefined for any other text.
 */
export function readTime(text: string, now: Now): TimeSpan | undefined {
  const local = readLocalTime(text, now)
  return local && { from: local.from - now.offset, to: local.to - now.offset }
}

/** Reads a time as if the caller's clock showed UTC. */
function readLocalTime(text: string, { at, offset }: Now): TimeSpan | undefined {
  if (text.startsWith('now')) return apply(at + offset, text.slice(3))
  const maths = text.indexOf('||')
  const start = readDate(maths < 0 ? text : text.slice(0, maths), offset)
  return start && maths >= 0 ? apply(start.from, text.slice(maths + 2)) : start
}

function readDate(text: string, offset: number): TimeSpan | undefined {
  const isMonth = MONTH.test(text)
  // 24:00 is the end of a day.
  const isEnd = text.slice(11, 13) === '24'
  const time = readIsoTime(isMonth ? `${text}-01` : isEnd ? `${text.slice(0, 11)}00${text.slice(13)}` : text)
  const minutes = time && offsetMinutes(time.zone, 23)
  if (!time || time.year < 100 || minutes === undefined || time.fraction.length > 9) return undefined
  if (isMonth) return unitOf(time.local, 'M')
  if (time.precision === 'day') return unitOf(time.local, 'd')
  const local = time.local + Number(time.fraction.padEnd(3, '0').slice(0, 3))
  if (text[10] === ' ' || (isEnd && local % DAY_MS !== 0)) return undefined
  const from = local + (isEnd ? DAY_MS : 0) + (time.zone === '' ? 0 : offset - minutes * 60_000)
  return { from, to: from + 1 }
}

function apply(start: number, maths: string): TimeSpan | undefined {
  let span: TimeSpan = { from: start, to: start + 1 }
  for (let rest = maths; rest !== ''; ) {
    const [step, sign, count, unit, rounded] = MATHS.exec(rest) ?? []
    if (step === undefined) return undefined
    if (rounded !== undefined) span = unitOf(span.from, rounded)
    else {
      const by = Number(`${sign}${count || 1}`)
      const length = span.to - span.from
      const from = moved(span.from, by, unit ?? '')
      // Keeps the length of a span shorter than a month. Moving both ends could shorten it, where the target month is shorter.
      span = { from, to: length < SHORTEST_MONTH_MS ? from + length : moved(span.to, by, unit ?? '') }
    }
    rest = rest.slice(step.length)
  }
  return Math.abs(span.from) < MAX_TIME && Math.abs(span.to) < MAX_TIME ? span : undefined
}

const SHORTEST_MONTH_MS = 28 * 86_400_000

/** The largest time in milliseconds that both JavaScript and PostgreSQL can handle. */
const MAX_TIME = 8e15

/** The whole unit of time that contains a moment. */
function unitOf(moment: number, unit: string): TimeSpan {
  const date = new Date(moment)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const from =
    unit === 'y'
      ? midnight(year, 0)
      : unit === 'M'
        ? midnight(year, month)
        : unit === 'w'
          ? midnight(year, month, day - ((date.getUTCDay() + 6) % 7))
          : Math.floor(moment / (UNIT_MS[unit] ?? 1)) * (UNIT_MS[unit] ?? 1)
  return { from, to: moved(from, 1, unit) }
}

const UNIT_MS: Record<string, number> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  H: 3_600_000,
  m: 60_000,
  s: 1000,
}

/** Adds units to a moment. If the target month is too short for the day, the result is its last day. */
function moved(moment: number, by: number, unit: string): number {
  if (unit !== 'y' && unit !== 'M') return moment + by * (UNIT_MS[unit] ?? 0)
  const date = new Date(moment)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + by * (unit === 'y' ? 12 : 1)
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12]
  const last = new Date(midnight(year, month + 1, 0)).getUTCDate()
  return date.setUTCFullYear(year, month, Math.min(date.getUTCDate(), last))
}

/** Midnight of a day. Does not use `Date.UTC`, which reads years up to 99 as years of the 20th century. */
const midnight = (year: number, month: number, day = 1): number => new Date(0).setUTCFullYear(year, month, day)

/** The offset of a time zone such as +01:00 from UTC in milliseconds. */
export function offsetOf(zone: string): number {
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
