import { isTimestamp, parseTimestamp } from '../../server/domain/timestamp.ts'

const DAY = /^\d{4}-\d{2}-\d{2}/

/** Whether the API accepts a text as a time: a date, or a date and time, with or without an offset. */
export const isTime = isTimestamp

/** The time in UTC, to the minute; empty if the text is not a time. */
export const inUtc = (text: string): string => {
  const time = parseTimestamp(text)
  return time === undefined ? '' : `${time.slice(0, 16).replace('T', ' ')} UTC`
}

/** The date in a text, to open the calendar at. */
export const dayOf = (text: string): string | null => (isTime(text) ? (DAY.exec(text)?.[0] ?? null) : null)

/** Replaces the date in a text and keeps the time. */
export const withDay = (text: string, day: string): string =>
  isTime(text) && text.length > 10 ? text.replace(DAY, day) : `${day}T00:00:00Z`
