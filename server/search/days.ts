const DATE_OR_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?:Z|([+-]\d{2}):?(\d{2}))?)?$/i

// Nearly all times come like this, and say the day as it is.
const COMMON = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/

/** The day in UTC of an ISO date or time, which is in UTC itself if it has no offset; undefined for any other text. */
export function isoDay(text: string): string | undefined {
  if (text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d || text.length > 40) return undefined
  if (COMMON.test(text)) return text.slice(0, 10)
  const [found, year, month, day, time, hours, minutes] = DATE_OR_TIME.exec(text) ?? []
  if (found === undefined || Number(day) > daysOf(Number(year), Number(month))) return undefined
  if (hours === undefined) return found.slice(0, 10)
  const moment = new Date(`${year}-${month}-${day}T${time}:00${hours}:${minutes}`)
  if (Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 0 || moment.getUTCFullYear() > 9999) return undefined
  return moment.toISOString().slice(0, 10)
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
