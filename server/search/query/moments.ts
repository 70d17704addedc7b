/** A span of time in milliseconds since 1970: from the first moment up to, but without, the second. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** The moment that date maths count from, and how far the clock of who asks is ahead of UTC, both in milliseconds. */
export interface Now {
  readonly at: number
  readonly offset: number
}

const DATE = /^(\d{4})-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/i
const MATHS = /^(?:([+-])(\d{0,9})([yMwdhHms])|\/([yMwdhHms]))/

/**
 * Reads a date, a time or date maths (`now-7d/d`, `2025-01-10||+1M`) as the time it stands for: a month, a day, a rounded
 * unit, or a single moment. Days begin, and times without a zone are meant, by the clock of who asks. Undefined for any other text.
 */
export function readTime(text: string, now: Now): TimeSpan | undefined {
  const local = readLocalTime(text, now)
  return local && { from: local.from - now.offset, to: local.to - now.offset }
}

/** Counts as if that clock showed UTC. */
function readLocalTime(text: string, { at, offset }: Now): TimeSpan | undefined {
  if (text.startsWith('now')) return apply(at + offset, text.slice(3))
  const maths = text.indexOf('||')
  const start = readDate(maths < 0 ? text : text.slice(0, maths), offset)
  return start && maths >= 0 ? apply(start.from, text.slice(maths + 2)) : start
}

function readDate(text: string, offset: number): TimeSpan | undefined {
  const [found, year, month, day, hours, minutes, seconds = '00', fraction = '', zone] = DATE.exec(text) ?? []
  if (found === undefined || !isDate(Number(year), Number(month), Number(day ?? 1))) return undefined
  if (day === undefined) return unitOf(Date.UTC(Number(year), Number(month) - 1), 'M')
  if (hours === undefined) return unitOf(Date.parse(`${year}-${month}-${day}T00:00:00Z`), 'd')
  const given = zone === undefined || zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const read = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${milliseconds}${given}`)
  const from = zone === undefined ? read : read + offset
  return Number.isNaN(from) ? undefined : { from, to: from + 1 }
}

function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  // The years up to 99 are taken for those of the last century.
  return year >= 100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
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
      // A day stays a day, even where the next one is moved into the same or into a shorter month.
      span = { from, to: length < SHORTEST_MONTH ? from + length : moved(span.to, by, unit ?? '') }
    }
    rest = rest.slice(step.length)
  }
  return Math.abs(span.from) < LAST && Math.abs(span.to) < LAST ? span : undefined
}

const SHORTEST_MONTH = 28 * 86_400_000

/** Neither JavaScript nor PostgreSQL counts on forever. */
const LAST = 8e15

/** The whole unit of time that a moment lies in. */
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
          : Math.floor(moment / (FIXED[unit] ?? 1)) * (FIXED[unit] ?? 1)
  return { from, to: moved(from, 1, unit) }
}

const FIXED: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, H: 3_600_000, m: 60_000, s: 1000 }

/** Months and years have no fixed length; a day that a month does not have becomes its last. */
function moved(moment: number, by: number, unit: string): number {
  if (unit !== 'y' && unit !== 'M') return moment + by * (FIXED[unit] ?? 0)
  const date = new Date(moment)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + by * (unit === 'y' ? 12 : 1)
  const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12]
  const last = new Date(midnight(year, month + 1, 0)).getUTCDate()
  return date.setUTCFullYear(year, month, Math.min(date.getUTCDate(), last))
}

/** `Date.UTC` takes the years up to 99 for those of the last century. */
const midnight = (year: number, month: number, day = 1): number => new Date(0).setUTCFullYear(year, month, day)

/** By how many milliseconds the clocks of a zone such as +01:00 are ahead of UTC. */
export function offsetOf(zone: string): number {
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
