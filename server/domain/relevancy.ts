const SECONDS_PER_DAY = 86_400

/** The relevancy of a threat from 1 down to 0: it halves with every half-life since the threat started. */
export function relevancy(secondsSinceThreatStart: number, halfLifeDays: number): number {
  const halfLives = secondsSinceThreatStart / (halfLifeDays * SECONDS_PER_DAY)
  // Written as a negation so that NaN and threats in the future are fully relevant.
  if (!(halfLives > 0)) return 1
  return 1 / 2 ** halfLives
}
