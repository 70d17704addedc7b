/** The interval of a timeline. */
export type Unit = 'day' | 'week' | 'month'

/** The count of a day, written as 2024-01-29. */
export interface DayCount {
  readonly value: string
  readonly count: number
}

/** One interval of a timeline, by its first day. */
export interface Bucket {
  readonly from: string
  readonly count: number
}

/** A timeline with more intervals than this is unreadable. */
const MAX_INTERVALS = 1_000

const DAY_MS = 86_400_000

const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** The first day of the interval that contains a day; weeks begin on Monday. */
export function beginOf(day: string, unit: Unit): string {
  if (unit === 'day') return day
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  const time = Date.parse(day)
  return dayText(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY_MS)
}

function nextOf(day: string, unit: Unit): string {
  if (unit === 'day') return dayText(Date.parse(day) + DAY_MS)
  if (unit === 'week') return dayText(Date.parse(day) + 7 * DAY_MS)
  const [year = 0, month = 1] = day.split('-').map(Number)
  return dayText(Date.UTC(year, month, 1))
}

/** Sums daily counts per interval, including empty intervals. */
export function bucketsOf(days: readonly DayCount[], unit: Unit): readonly Bucket[] {
  const counts = new Map<string, number>()
  for (const { value, count } of days) {
    const from = beginOf(value, unit)
    counts.set(from, (counts.get(from) ?? 0) + count)
  }
  const known = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([from, count]) => ({ from, count }))
  const last = known.at(-1)
  if (!known[0] || !last) return []
  const whole: Bucket[] = []
  for (let from = known[0].from; from <= last.from; from = nextOf(from, unit)) {
    // With this many intervals, gaps would not be visible.
    if (whole.length === MAX_INTERVALS) return known.slice(-MAX_INTERVALS)
    whole.push({ from, count: counts.get(from) ?? 0 })
  }
  return whole
}

/** The unit that divides a timeline into a readable number of intervals. */
export function fittingUnit(days: readonly DayCount[]): Unit {
  const times = days.map(({ value }) => Date.parse(value))
  const span = (Math.max(...times) - Math.min(...times)) / DAY_MS
  if (span <= 60) return 'day'
  return span <= 500 ? 'week' : 'month'
}
