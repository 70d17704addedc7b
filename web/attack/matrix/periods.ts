/** A month, a quarter or a year. */
export interface Period {
  /** As in the URL: `2024-03`, `2024-Q1` or `2024`. */
  readonly name: string
  /** The first instant, and the first one after it. */
  readonly from: string
  readonly until: string
}

/** More periods than these would be too many to step through. */
const MAX_MONTHS = 36
const MAX_QUARTERS = 40
const MAX_YEARS = 60

const FORM = /^(\d{4})(?:-(?:(\d{2})|Q([1-4])))?$/

/** The period with a name; undefined for anything else. */
export function readPeriod(text: string): Period | undefined {
  const [, year, month, quarter] = FORM.exec(text) ?? []
  if (year === undefined || Number(month ?? 1) < 1 || Number(month ?? 1) > 12) return undefined
  const first = month ? Number(month) - 1 : quarter ? (Number(quarter) - 1) * 3 : 0
  const months = month ? 1 : quarter ? 3 : 12
  const at = (index: number) => new Date(Date.UTC(Number(year), index)).toISOString()
  return { name: text, from: at(first), until: at(first + months) }
}

/** The periods from one time to another: months, or quarters or years if there would be too many. */
export function periodsBetween(first: Date, last: Date): readonly Period[] {
  const months = (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1
  const size = months <= MAX_MONTHS ? 1 : months <= MAX_QUARTERS * 3 ? 3 : 12
  const names = new Set<string>()
  for (let i = 0; i < months; i += 1) names.add(nameOf(first.getUTCFullYear(), first.getUTCMonth() + i, size))
  return [...names].slice(-MAX_YEARS).flatMap((name) => readPeriod(name) ?? [])
}

function nameOf(year: number, index: number, size: number): string {
  const at = new Date(Date.UTC(year, index))
  const own = String(at.getUTCFullYear()).padStart(4, '0')
  if (size === 12) return own
  return size === 3
    ? `${own}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`
    : `${own}-${String(at.getUTCMonth() + 1).padStart(2, '0')}`
}
