const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/

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
  const match = text.length < 64 ? FORM.exec(text) : null
  if (!match) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00'] = match
  const date = new Date(0)
  date.setUTCFullYear(+year, +month - 1, +day)
  const isDay = year !== '0000' && date.getUTCMonth() + 1 === +month && date.getUTCDate() === +day
  if (!isDay || +hour > 23 || +minute > 59 || +second > 59) return undefined
  const offset = /[T ]/.test(text) ? /([+-])(\d{2}):?(\d{2})$/.exec(text) : null
  const [, sign, hours = '00', minutes = '00'] = offset ?? []
  if (+hours > 15 || +minutes > 59) return undefined
  const shift = (sign === '-' ? 1 : -1) * (+hours * 60 + +minutes)
  date.setUTCHours(+hour, +minute + shift, +second, Math.floor(+(match[7] ?? '0') * 1000))
  return date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999 ? undefined : date
}
