const FORM =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/i

const UTC = /^(?:z|[+-]00:?00)$/i

/** Converts a document timestamp to the form that requests use; undefined if it is not a real date. */
export function momentOf(value: unknown): string | undefined {
  const [, year, month = '', day = '', clock, fraction = '', offset = ''] =
    (typeof value === 'string' && FORM.exec(value)) || []
  if (year === undefined || clock === undefined || Number(year) < 100) return undefined
  // In UTC the year may already be 10000.
  if (year === '9999' && !UTC.test(offset)) return undefined
  const isReal = Number(day) <= 28 || Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return isReal
    ? `${year}-${month}-${day}T${clock}${fraction && `.${fraction.slice(0, 6)}`}${offset.toUpperCase()}`
    : undefined
}

/** Converts a timestamp to STIX 2 form: UTC with milliseconds to microseconds; undefined if it is not valid. */
export function stixTimeOf(value: unknown): string | undefined {
  const moment = momentOf(value)
  const [, year, month, date, clock, fraction = '', offset = 'Z'] = (moment && FORM.exec(moment)) || []
  if (year === undefined) return undefined
  const day = `${year}-${month}-${date}`
  const digits = `${fraction.slice(0, 3).padEnd(3, '0')}${fraction.slice(3).replace(/(?<!0)0+$/, '')}`
  if (UTC.test(offset)) return `${day}T${clock}.${digits}Z`
  const colon = offset.includes(':') ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`
  const utc = new Date(`${day}T${clock}${colon}`)
  return `${utc.toISOString().slice(0, 19)}.${digits}Z`
}

/** Whether the first of two timestamps is later. Invalid ones come before all others. */
export function isLater(one: unknown, other: unknown): boolean {
  const a = stixTimeOf(one) ?? ''
  const b = stixTimeOf(other) ?? ''
  // Pad to the same number of digits; otherwise the `Z` would be compared with a digit.
  return a.slice(0, -1).padEnd(26, '0') > b.slice(0, -1).padEnd(26, '0')
}
