/** Converts a timestamp in a document to ISO 8601; undefined if it is invalid or implausible. */
export function timeOf(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 100) return undefined
  const given = text.trim()
  // Without a zone, it would be interpreted in the time zone of the server.
  const isBare = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?$/.test(given)
  const time = new Date(isBare && given.length > 10 ? `${given.replace(' ', 'T')}Z` : given)
  const year = time.getUTCFullYear()
  return year >= 1970 && year < 2200 ? time.toISOString() : undefined
}
