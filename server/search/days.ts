import { isCommonTime, offsetMinutes, readIsoTime } from '../domain/timestamp.ts'

/** The day in UTC of an ISO 8601 date or time, or undefined for any other text. Times without an offset are in UTC. */
export function isoDay(text: string): string | undefined {
  if (text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d || text.length > 40) return undefined
  if (isCommonTime(text)) return text.slice(0, 10)
  const time = readIsoTime(text)
  if (time?.zone === '') return text.slice(0, 10)
  const minutes = time && offsetMinutes(time.zone, 23)
  if (!time || minutes === undefined) return undefined
  const utc = new Date(time.local - minutes * 60_000)
  return utc.getUTCFullYear() < 0 || utc.getUTCFullYear() > 9999 ? undefined : utc.toISOString().slice(0, 10)
}
