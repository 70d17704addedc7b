import { readLenientIsoTime } from '../../domain/timestamp.ts'

/** English month names by their first three letters, as in machine-generated files. */
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** Directives that stand for several others. */
const SHORTHANDS: Readonly<Record<string, string>> = {
  '%D': '%m/%d/%y',
  '%F': '%Y-%m-%d',
  '%R': '%H:%M',
  '%T': '%H:%M:%S',
}

interface Parts {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  fraction: string
  /** Offset east of UTC. */
  offset: number
  isAfternoon?: boolean
  epoch?: number
  dayOfYear?: number
}

const MIDNIGHT: Parts = { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, fraction: '', offset: 0 }

/** The syntax of a directive and its parser. A matching text may still be rejected. */
type Directive = readonly [form: RegExp, take: (parts: Parts, text: string) => boolean]

type Numeric = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'dayOfYear' | 'epoch'

const number = (name: Numeric, form: RegExp, of: (text: string) => number = Number): Directive => [
  form,
  (parts, text) => {
    parts[name] = of(text)
    return true
  },
]

const monthByName = number('month', /[a-z]{3,9}/iy, (text) => MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1)

const ignored = (form: RegExp): Directive => [form, () => true]

/** The strptime directives. */
const DIRECTIVES: Readonly<Record<string, Directive>> = {
  Y: number('year', /\d{4}/y),
  y: number('year', /\d{2}/y, (text) => Number(text) + (Number(text) < 69 ? 2000 : 1900)),
  m: number('month', /\d{1,2}/y),
  b: monthByName,
  B: monthByName,
  h: monthByName,
  d: number('day', /\d{1,2}/y),
  e: number('day', /\d{1,2}/y),
  j: number('dayOfYear', /\d{1,3}/y),
  H: number('hour', /\d{1,2}/y),
  I: number('hour', /\d{1,2}/y),
  M: number('minute', /\d{1,2}/y),
  S: number('second', /\d{1,2}/y),
  s: number('epoch', /-?\d{1,12}/y),
  f: [/\d{1,9}/y, takeFraction],
  p: [/[ap]\.?m\.?/iy, takeHalf],
  z: [/z|[+-]\d{2}:?\d{2}|[+-]\d{2}/iy, takeOffset],
  Z: ignored(/utc|gmt|z/iy),
  a: ignored(/[a-z]{3,9}/iy),
  A: ignored(/[a-z]{3,9}/iy),
}

/**
 * Reads a time in a strptime format, or without one in ISO 8601 or as seconds or milliseconds since 1970. Returns UTC with microseconds;
 * undefined if it is invalid.
 */
export function readTime(text: string, format?: string): string | undefined {
  const given = text.trim()
  if (format !== undefined) return readAs(given, format)
  if (/^\d{9,10}$/.test(given)) return readAs(given, '%s')
  if (/^\d{12,13}$/.test(given)) return readAs(`${given.slice(0, -3)}.${given.slice(-3)}`, '%s.%f')
  return readIso(given)
}

function readIso(text: string): string | undefined {
  // Stricter than the API: at most one space before the zone.
  if (/\s\s/.test(text)) return undefined
  const time = readLenientIsoTime(text.replace(/(?:utc|gmt)$/i, 'Z'))
  if (!time) return undefined
  const parts: Parts = { ...MIDNIGHT, epoch: time.local / 1000, fraction: time.fraction }
  return takeOffset(parts, time.zone || 'Z') ? written(parts) : undefined
}

function readAs(text: string, format: string): string | undefined {
  const parts: Parts = { ...MIDNIGHT }
  const pattern = format.replaceAll(/%[DFRT]/g, (shorthand) => SHORTHANDS[shorthand] ?? shorthand)
  let at = 0
  for (const [piece] of pattern.matchAll(/%.|\s+|[^%\s]/gsu)) {
    const next = step(text, at, piece, parts)
    if (next === undefined) return undefined
    at = next
  }
  return at === text.length ? written(parts) : undefined
}

/** Returns the position after one element of the format; undefined if the text does not match. */
function step(text: string, at: number, piece: string, parts: Parts): number | undefined {
  if (piece.trim() === '') return at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0)
  if (!piece.startsWith('%') || piece === '%%') {
    const literal = piece === '%%' ? '%' : piece
    return text.startsWith(literal, at) ? at + literal.length : undefined
  }
  const directive = DIRECTIVES[piece.slice(1)]
  if (!directive) return undefined
  const [form, take] = directive
  form.lastIndex = at
  const found = form.exec(text)?.[0]
  if (found === undefined || !take(parts, found)) return undefined
  return at + found.length
}

function takeFraction(parts: Parts, text: string): boolean {
  parts.fraction = text
  return true
}

function takeHalf(parts: Parts, text: string): boolean {
  parts.isAfternoon = /^p/i.test(text)
  return parts.hour <= 12
}

function takeOffset(parts: Parts, text: string): boolean {
  if (/^[a-z]+$/i.test(text)) return true
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(3).replace(':', '') || 0)
  parts.offset = text.startsWith('-') ? -minutes : minutes
  return minutes <= 15 * 60
}

function written(parts: Parts): string | undefined {
  const seconds = parts.epoch ?? secondsOf(parts)
  if (seconds === undefined) return undefined
  const utc = new Date((seconds - parts.offset * 60) * 1000)
  if (Number.isNaN(utc.getTime()) || utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return undefined
  return `${utc.toISOString().slice(0, 19)}.${parts.fraction.padEnd(6, '0').slice(0, 6)}+00:00`
}

/** Returns the seconds since 1970; undefined for a date or time that does not exist. */
function secondsOf({ year, month, day, dayOfYear, minute, second, isAfternoon, ...parts }: Parts): number | undefined {
  const hour = isAfternoon === undefined ? parts.hour : (parts.hour % 12) + (isAfternoon ? 12 : 0)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, dayOfYear === undefined ? month - 1 : 0, dayOfYear ?? day)
  const isReal =
    dayOfYear === undefined
      ? date.getUTCMonth() + 1 === month && date.getUTCDate() === day
      : dayOfYear > 0 && date.getUTCFullYear() === year
  return isReal ? date.getTime() / 1000 + (hour * 60 + minute) * 60 + second : undefined
}
