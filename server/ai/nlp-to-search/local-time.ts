/** The offset of a time zone from UTC at a moment, in milliseconds. */
export function offsetAt(zone: string, moment: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0)
  const local = localTime(read('year'), read('month') - 1, read('day'))
  const seconds = (read('hour') * 60 + read('minute')) * 60 + read('second')
  return local + seconds * 1000 - Math.floor(moment / 1000) * 1000
}

/** What the clocks of a time zone show, as if they showed UTC. */
export const toLocal = (zone: string, moment: number): number => moment + offsetAt(zone, moment)

/** The moment at which the clocks of a time zone show a time; where they skip it, the moment at which they do. */
export function fromLocal(zone: string, local: number): number {
  const guess = local - offsetAt(zone, local)
  const corrected = local - offsetAt(zone, guess)
  return toLocal(zone, corrected) === local ? corrected : Math.max(guess, corrected)
}

/** Midnight of a day in the calendar. Does not use `Date.UTC`, which reads years up to 99 as years of the 20th century. */
export const localTime = (year: number, month: number, day = 1): number => new Date(0).setUTCFullYear(year, month, day)

export const CALENDAR_UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type CalendarUnit = (typeof CALENDAR_UNITS)[number]

/** The start of the unit of the calendar that is this many units after the one that contains a local time. Weeks begin on Monday. */
export function startOfUnit(local: number, unit: CalendarUnit, by: number): number {
  const date = new Date(local)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (unit === 'day') return localTime(year, month, day + by)
  if (unit === 'week') return localTime(year, month, day - ((date.getUTCDay() + 6) % 7) + 7 * by)
  if (unit === 'month') return localTime(year, month + by)
  if (unit === 'quarter') return localTime(year, month - (month % 3) + 3 * by)
  return localTime(year + by, 0)
}
