/** How many calls an enricher may make in a window, and has made in its parts. */
export interface Budget {
  /** The length of the window; 0 is the calendar month. */
  readonly seconds: number
  readonly calls: number
  /** The parts of the window in which calls were made, from the oldest. */
  readonly parts: readonly Part[]
}

interface Part {
  /** In milliseconds since 1970. */
  readonly start: number
  readonly used: number
}

/** A window consists of this many parts: more would be more exact, and take more room. */
const PARTS = 20

/** The window of a cap per month, which begins with the calendar month in UTC. */
export const MONTH = 0

/** The calls that still count. */
export const usedOf = (budget: Budget, now: number): number =>
  current(budget, now).reduce((sum, { used }) => sum + used, 0)

/** Counts one call. */
export function take(budget: Budget, now: number): Budget {
  const start = budget.seconds === MONTH ? monthOf(now) : Math.floor(now / widthOf(budget)) * widthOf(budget)
  const parts = current(budget, now)
  const last = parts.at(-1)
  const rest = last?.start === start ? parts.slice(0, -1) : parts
  return { ...budget, parts: [...rest, { start, used: 1 + (last?.start === start ? last.used : 0) }] }
}

/** The time from which `needed` calls fit; now or earlier if they fit already. A part counts until all of it is out of the window. */
export function freeAt(budget: Budget, now: number, needed: number): number {
  if (budget.calls === 0) return Number.POSITIVE_INFINITY
  // More calls than the window allows never fit, so that they wait for an empty one.
  const room = budget.calls - Math.min(needed, budget.calls)
  let used = usedOf(budget, now)
  for (const part of current(budget, now)) {
    if (used <= room) return now
    used -= part.used
    if (used <= room) return endOf(budget, part)
  }
  return now
}

const widthOf = ({ seconds }: Budget): number => Math.max(1, Math.ceil((seconds * 1000) / PARTS))

/** When the calls of a part no longer count. */
const endOf = (budget: Budget, { start }: Part): number =>
  budget.seconds === MONTH ? monthAfter(start) : start + widthOf(budget) + budget.seconds * 1000

const current = (budget: Budget, now: number): readonly Part[] =>
  budget.parts.filter((part) => endOf(budget, part) > now)

const monthOf = (time: number): number => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

const monthAfter = (time: number): number => {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
