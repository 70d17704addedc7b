const CLOCK = String.raw`(?:[T ,]{1,2}(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?`
const ZONE = String.raw`\s?(?:Z|UTC|GMT|[+-]00:?00)?`

const ISO = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${CLOCK}${ZONE}$`)
const BY_NAME = new RegExp(
  `^(?:[A-Za-z]{3,9},? )?(?:(\\d{1,2})[ -]([A-Za-z]{3,9})|([A-Za-z]{3,9}) (\\d{1,2})),?[ -](\\d{4})${CLOCK}${ZONE}$`,
)
/** Dates in which the order of day and month is ambiguous. */
const UNCLEAR = new RegExp(`^\\d{1,2}([/.-])\\d{1,2}\\1(?:\\d{4}|\\d{2})${CLOCK}(?: ?[AP]M)?${ZONE}$`, 'i')
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** Returns the time in a cell in UTC and ISO 8601; undefined if there is none, or if it is ambiguous. */
export function momentOf(cell: string): string | undefined {
  const text = cell.trim()
  if (text.length > 40) return undefined
  const iso = ISO.exec(text)
  if (iso) return moment(iso[1], Number(iso[3]), iso[4], iso.slice(5, 8))
  const named = BY_NAME.exec(text)
  if (!named) return undefined
  const month = MONTHS.indexOf((named[2] ?? named[3] ?? '').slice(0, 3).toLowerCase()) + 1
  return moment(named[5], month, named[1] ?? named[4], named.slice(6, 9))
}

/** Whether a cell is a date or time, even if it is ambiguous. */
export function isMoment(cell: string): boolean {
  const text = cell.trim()
  return (
    text.length <= 40 && (momentOf(text) !== undefined || UNCLEAR.test(text) || /^\d{1,2}:\d{2}(?::\d{2})?$/.test(text))
  )
}

function moment(
  year = '',
  month: number,
  day = '',
  [hour = '0', minute = '0', second = '0']: readonly string[],
): string | undefined {
  const time = Date.UTC(Number(year), month - 1, Number(day), Number(hour), Number(minute), Number(second))
  const date = new Date(time)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day) && Number(year) >= 1970
  return isReal ? date.toISOString() : undefined
}
