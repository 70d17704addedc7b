const FORM =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i

// Times come by the thousand, nearly all in this form, and reading one to the end takes ten times as long.
const COMMON =
  /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z|\+00:00)$/

/**
 * Reads an ISO 8601 time and writes it as the wire has it, in UTC with microseconds; undefined when it is none.
 * A time without an offset is taken as UTC.
 */
export function parseTimestamp(text: string): string | undefined {
  if (COMMON.test(text)) return `${text.slice(0, 19)}.${fractionOf(text)}+00:00`
  const match = FORM.exec(text.trim())
  if (!match) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] =
    match
  const moment = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second)
  const date = new Date(moment)
  if (+year < 100) date.setUTCFullYear(+year)
  const isReal = date.getUTCMonth() + 1 === +month && date.getUTCDate() === +day && +hour < 24 && +minute < 60
  if (!isReal || +second > 59 || year === '0000') return undefined
  const minutes = offsetMinutes(offset)
  if (minutes === undefined) return undefined
  const utc = new Date(date.getTime() - minutes * 60_000)
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return undefined
  return `${utc.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}+00:00`
}

/** The six digits after the second, of a time in the common form. */
function fractionOf(text: string): string {
  if (text.charCodeAt(19) !== 0x2e) return '000000'
  const end = text.endsWith('Z') ? -1 : -6
  return text.slice(20, end).padEnd(6, '0').slice(0, 6)
}

/** Whether a text is a time that can be read. */
export const isTimestamp = (text: string): boolean => COMMON.test(text) || parseTimestamp(text) !== undefined

function offsetMinutes(offset: string): number | undefined {
  if (/^z$/i.test(offset)) return 0
  const hours = +offset.slice(1, 3)
  const minutes = +(offset.slice(3).replace(':', '') || 0)
  if (hours > 15 || minutes > 59) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
