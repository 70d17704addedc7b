/** A date or time in ISO 8601. */
export interface IsoTime {
  readonly year: number
  /** Milliseconds since 1970 of the whole second as if it were in UTC, without regard to the zone. */
  readonly local: number
  readonly precision: 'day' | 'minute' | 'second'
  /** The digits after the second, possibly none. */
  readonly fraction: string
  /** As it was written, such as `Z` or `+0100`; '' if there is none. */
  readonly zone: string
}

const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i

// What requests may send: also a comma, a space before the zone, a zone without minutes, and one after a date.
const LENIENT_FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i

// Nearly all times have this form, and a bulk write has thousands: testing it takes a tenth of the time of reading.
const COMMON =
  /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|\+00:00)$/

/** Whether a text is a time in UTC in the form that nearly all times have. Other texts can be times as well. */
export const isCommonTime = (text: string): boolean => COMMON.test(text)

/** Reads a date, or a date and time with or without a zone; undefined if the text is neither or the date or time does not exist. */
export const readIsoTime = (text: string): IsoTime | undefined => isoTimeOf(FORM.exec(text))

/** Reads the variants of ISO 8601 that the API accepts. */
export const readLenientIsoTime = (text: string): IsoTime | undefined => isoTimeOf(LENIENT_FORM.exec(text.trim()))

/**
 * Converts a time in ISO 8601 to the form of the API, UTC with microseconds; undefined if the text is not a time. Without a zone,
 * the time is in UTC.
 */
export function parseTimestamp(text: string): string | undefined {
  if (COMMON.test(text)) return `${text.slice(0, 19)}.${fractionOf(text)}+00:00`
  const time = readLenientIsoTime(text)
  const minutes = time && offsetMinutes(time.zone, 15)
  if (!time || time.year === 0 || minutes === undefined) return undefined
  const utc = new Date(time.local - minutes * 60_000)
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return undefined
  return `${utc.toISOString().slice(0, 19)}.${sixDigits(time.fraction)}+00:00`
}

/** Whether the API accepts a text as a time. */
export const isTimestamp = (text: string): boolean => COMMON.test(text) || parseTimestamp(text) !== undefined

/** The minutes by which a zone is ahead of UTC, 0 without a zone; undefined if it is further from UTC than `maxHours` and 59 minutes. */
export function offsetMinutes(zone: string, maxHours: number): number | undefined {
  if (zone.length < 2) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = zone.length < 5 ? 0 : Number(zone.slice(-2))
  if (hours > maxHours || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** The six digits after the second of a time in the common form. */
function fractionOf(text: string): string {
  if (text.charCodeAt(19) !== 0x2e) return '000000'
  return sixDigits(text.slice(20, text.endsWith('Z') ? -1 : -6))
}

const sixDigits = (fraction: string): string => fraction.padEnd(6, '0').slice(0, 6)

function isoTimeOf(match: RegExpExecArray | null): IsoTime | undefined {
  if (!match) return undefined
  const [, , , , hour, minute = '0', second, fraction = '', zone = ''] = match
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined
  const [hours, minutes, seconds] = [Number(hour ?? 0), Number(minute), Number(second ?? 0)]
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined
  return {
    year,
    // `Date.UTC` takes the years up to 99 for years of the 20th century.
    local: Date.UTC(year + 400, month - 1, day, hours, minutes, seconds) - FOUR_CENTURIES_MS,
    precision: hour === undefined ? 'day' : second === undefined ? 'minute' : 'second',
    fraction,
    zone,
  }
}

const FOUR_CENTURIES_MS = 146_097 * 86_400_000

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
