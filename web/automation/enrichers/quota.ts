import type { Enricher } from '../../api/resources.ts'

export type Quota = Enricher['quota'][number]

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const NAMES: Readonly<Record<number, string>> = { 1: 'second', [MINUTE]: 'minute', [HOUR]: 'hour', [DAY]: 'day' }

/** The window of a limit in words: `per day`, `in 30 s`; null is a calendar month. */
export function windowName(seconds: number | null): string {
  if (seconds === null) return 'per month'
  const name = NAMES[seconds]
  if (name) return `per ${name}`
  const unit = [
    { length: DAY, one: 'days' },
    { length: HOUR, one: 'hours' },
    { length: MINUTE, one: 'min' },
  ].find(({ length }) => seconds % length === 0)
  return unit ? `in ${seconds / unit.length} ${unit.one}` : `in ${seconds} s`
}

/** The share of a limit that is used, in percent. A limit of zero is used up. */
export const usedPercent = ({ calls, used }: Pick<Quota, 'calls' | 'used'>): number =>
  calls === 0 ? 100 : Math.min(100, Math.round((used / calls) * 100))

/** From this share on, a limit is shown as nearly used up. */
const NEARLY = 80

/** The colour of a limit by what is left of it. */
export function quotaColour(quota: Pick<Quota, 'calls' | 'used'>): string {
  const percent = usedPercent(quota)
  if (percent >= 100) return 'red'
  return percent >= NEARLY ? 'orange' : 'teal'
}

/** The share of look-ups that the service answered, in percent; null before the first. */
export function successRate({
  found_count,
  empty_count,
  failed_count,
}: Pick<Enricher, 'found_count' | 'empty_count' | 'failed_count'>): number | null {
  const total = found_count + empty_count + failed_count
  return total === 0 ? null : Math.round(((found_count + empty_count) / total) * 100)
}

/** A duration in days as text: `under 1 min`, `3.5 h`, `12 days`. */
export function daysText(days: number | null): string {
  if (days === null) return 'No limits'
  const seconds = days * DAY
  if (seconds < MINUTE) return 'Under 1 min'
  if (seconds < HOUR) return `${Math.ceil(seconds / MINUTE)} min`
  if (days < 1) return `${rounded(seconds / HOUR)} h`
  return days < 1.05 ? '1 day' : `${rounded(days)} days`
}

const rounded = (number: number): string => (Math.round(number * 10) / 10).toLocaleString('en')
