const SECONDS_PER_DAY = 86_400

/** How relevant something still is, from 1 down to 0: half as much after every half-life since the threat began. */
export function relevancy(secondsSinceThreatStart: number, halfLifeDays: number): number {
  const halfLives = secondsSinceThreatStart / (halfLifeDays * SECONDS_PER_DAY)
  // Written so that what is no number, and what has yet to begin, is fully relevant.
  if (!(halfLives > 0)) return 1
  return 1 / 2 ** halfLives
}
