/** Whether all random cases are tried, not only a share of them: `THOROUGH=1 npm test`. */
export const isThorough = process.env.THOROUGH === '1'

/** The number of random cases to try: fewer in a usual run than in a thorough one, and different ones in each run. */
export const effort = (thorough: number, usual: number): number => (isThorough ? thorough : usual)

const today = Math.floor(Date.now() / 86_400_000)

/** Whether to try one of many similar cases: all in a thorough run, otherwise a share that differs from day to day. */
export const isTurnOf = (index: number, days = 3): boolean => isThorough || (index + today) % days === 0
