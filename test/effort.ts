/** Whether all is tried that is said of Corvus, and not only a share of what is drawn at random: `THOROUGH=1 npm test`. */
export const isThorough = process.env.THOROUGH === '1'

/** How many of what is drawn at random are tried: fewer in every run than in a thorough one, and others each time. */
export const effort = (thorough: number, usual: number): number => (isThorough ? thorough : usual)

const today = Math.floor(Date.now() / 86_400_000)

/** Whether one of many that are alike is tried: all in a thorough run, else each of so many days another share. */
export const isTurnOf = (index: number, days = 3): boolean => isThorough || (index + today) % days === 0
