const DAY = /^\d{4}-\d{2}-\d{2}/

/** Whether a text is a time as the API takes it: a day, or a day and a time, with or without an offset. */
export const isTime = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text) &&
  !Number.isNaN(Date.parse(dated(text)))

/** The moment that a text says, in UTC to the minute; empty where it says none. */
export const inUtc = (text: string): string =>
  isTime(text) ? `${new Date(dated(text)).toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''

/** The day of a text, for a calendar to begin with. */
export const dayOf = (text: string): string | null => (isTime(text) ? (DAY.exec(text)?.[0] ?? null) : null)

/** The text with another day, and with the time that it had. */
export const withDay = (text: string, day: string): string =>
  isTime(text) && text.length > 10 ? text.replace(DAY, day) : `${day}T00:00:00Z`

/** Times without an offset are UTC to the API; to a browser those with a time are its own. */
const dated = (text: string): string => {
  const plain = text.replace(' ', 'T')
  return plain.length > 10 && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(plain) ? `${plain}Z` : plain
}
