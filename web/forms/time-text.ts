const DAY = /^\d{4}-\d{2}-\d{2}/

/** Whether the API accepts a text as a time: a date, or a date and time, with or without an offset. */
export const isTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text) &&
  !Number.isNaN(Date.parse(dated(text)))

/** The time in UTC, to the minute; empty if the text is not a time. */
export const inUtc = (text: string): string =>
  isTime(text) ? `${new Date(dated(text)).toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''

/** The date in a text, to open the calendar at. */
export const dayOf = (text: string): string | null => (isTime(text) ? (DAY.exec(text)?.[0] ?? null) : null)

/** Replaces the date in a text and keeps the time. */
export const withDay = (text: string, day: string): string =>
  isTime(text) && text.length > 10 ? text.replace(DAY, day) : `${day}T00:00:00Z`

/** The API reads times without an offset as UTC; browsers read them as local time. */
const dated = (text: string): string => {
  const plain = text.replace(' ', 'T')
  return plain.length > 10 && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(plain) ? `${plain}Z` : plain
}
