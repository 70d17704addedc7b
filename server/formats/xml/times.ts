import { offsetMinutes, readIsoTime } from '../../domain/timestamp.ts'

/** In XML Schema, dates may have a zone. It is ignored. */
const DATE_WITH_ZONE = /^(.{10})(?:Z|[+-]\d{2}:?\d{2})$/

/** Converts a timestamp to the platform's form; undefined if it is invalid. */
export function timeOf(text: string): string | undefined {
  const given = text.trim()
  return momentOf(given) === undefined ? undefined : given.replace(/(\.\d{9})\d+/, '$1')
}

/** Converts a platform timestamp to XML Schema; undefined if it is invalid. */
export function xmlTimeOf(text: string): string | undefined {
  const moment = momentOf(text.trim())
  if (moment === undefined) return undefined
  const isWritten = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-3]):\d{2})?$/.test(text.trim())
  return isWritten ? text.trim() : moment.toISOString()
}

function momentOf(text: string): Date | undefined {
  // XML Schema has capitals only.
  if (text.length >= 64 || /[a-z]/.test(text)) return undefined
  const time = readIsoTime(text.replace(DATE_WITH_ZONE, '$1'))
  const minutes = time && offsetMinutes(time.zone, 15)
  if (!time || time.year === 0 || minutes === undefined) return undefined
  const date = new Date(time.local - minutes * 60_000 + Math.floor(Number(`.${time.fraction || 0}`) * 1000))
  return date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999 ? undefined : date
}
