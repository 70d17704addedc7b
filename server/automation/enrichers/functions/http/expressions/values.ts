import { parseTimestamp } from '../../../../../domain/timestamp.ts'

/** Whether a value counts as true: everything but null, false, 0, the empty text and the empty list. */
export const isTrue = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))

/** A text or a number as text; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A number, also one that is written as text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s{0,9}-?\d{1,15}(\.\d{1,20})?\s{0,9}$/.test(value)) return undefined
  return Number(value)
}

/** The list itself, or a list of a single value; null is nothing. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === null || value === undefined ? [] : [value]
}

// Numbers up to here are seconds since 1970, in which they reach the year 5138. Larger ones are milliseconds.
const MAX_SECONDS = 100_000_000_000

/** A time in the form of the API: of ISO 8601, also with ` UTC` at its end, or of a number since 1970. */
export function timeOf(value: unknown): string | undefined {
  const number = numberOf(value)
  if (number !== undefined) {
    const time = new Date(Math.abs(number) < MAX_SECONDS ? number * 1000 : number)
    return number <= 0 || Number.isNaN(time.getTime()) ? undefined : parseTimestamp(time.toISOString())
  }
  return typeof value === 'string' && value.length <= 100
    ? parseTimestamp(value.trim().replace(/ ?(UTC|GMT)$/i, ''))
    : undefined
}
