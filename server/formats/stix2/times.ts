import { offsetMinutes, readIsoTime } from '../../domain/timestamp.ts'

interface Moment {
  /** Milliseconds since 1970 of the whole second. */
  readonly utc: number
  /** Up to six digits after the second. */
  readonly fraction: string
  readonly zone: string
}

/** Converts a document timestamp to the form that requests use; undefined if it is not a real date. */
export function momentOf(value: unknown): string | undefined {
  const moment = readMoment(value)
  if (!moment) return undefined
  const [text, { fraction, zone }] = [String(value), moment]
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${fraction && `.${fraction}`}${zone.toUpperCase()}`
}

/** Converts a timestamp to STIX 2 form: UTC with milliseconds to microseconds; undefined if it is not valid. */
export function stixTimeOf(value: unknown): string | undefined {
  const moment = readMoment(value)
  if (!moment) return undefined
  const { utc, fraction } = moment
  const digits = `${fraction.slice(0, 3).padEnd(3, '0')}${fraction.slice(3).replace(/(?<!0)0+$/, '')}`
  return `${new Date(utc).toISOString().slice(0, 19)}.${digits}Z`
}

/** Whether the first of two timestamps is later. Invalid ones come before all others. */
export function isLater(one: unknown, other: unknown): boolean {
  const a = stixTimeOf(one) ?? ''
  const b = stixTimeOf(other) ?? ''
  // Pad to the same number of digits; otherwise the `Z` would be compared with a digit.
  return a.slice(0, -1).padEnd(26, '0') > b.slice(0, -1).padEnd(26, '0')
}

/** Requires seconds and a zone. */
function readMoment(value: unknown): Moment | undefined {
  const time = typeof value === 'string' ? readIsoTime(value) : undefined
  if (time?.precision !== 'second' || time.zone === '' || time.year < 100) return undefined
  const minutes = offsetMinutes(time.zone, 14)
  // In UTC the year may already be 10000.
  if (minutes === undefined || (time.year === 9999 && minutes !== 0)) return undefined
  return { utc: time.local - minutes * 60_000, fraction: time.fraction.slice(0, 6), zone: time.zone }
}
