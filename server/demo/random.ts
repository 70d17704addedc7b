/** Pseudo-random numbers that are the same on every machine for the same seed. */
export interface Random {
  /** A whole number below 2^32. */
  next(): number
  /** A whole number below a limit. */
  below(limit: number): number
  /** True with a probability in percent. */
  chance(percent: number): boolean
  /** An item of a list, all equally likely. */
  pick<T>(list: readonly T[]): T
  /** An item of a list; earlier ones are more likely. */
  prefer<T>(list: readonly T[]): T
  /** A rank among 2^octaves - 1, with a probability of about one divided by the rank. */
  rank(octaves: number): number
}

/** The purpose of the numbers: streams of the same seed and index are independent. */
export const streams = { identity: 1, content: 2, observables: 3, knownObservables: 4, relationship: 5 } as const

/** The stream of numbers for one object; seed and index are whole numbers below 2^32. */
export function randomOf(seed: number, index: number, stream: number): Random {
  // Only integers: rounding differs between processors and engines, and with it the data would.
  let a = seed | 0
  let b = index | 0
  let c = stream | 0
  let count = 1
  const next = (): number => {
    const sum = (a + b + count) | 0
    count = (count + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  // Until neighbouring indexes are no longer correlated.
  for (let i = 0; i < 15; i++) next()

  const below = (limit: number): number => Math.floor((next() / 4_294_967_296) * limit)
  const rank = (octaves: number): number => {
    const size = 2 ** below(octaves)
    return size - 1 + below(size)
  }
  const at = <T>(list: readonly T[], place: number): T => {
    const found = list[place]
    if (found === undefined) throw new RangeError(`There is no place ${place} in a list of ${list.length}.`)
    return found
  }
  return {
    next,
    below,
    rank,
    chance: (percent) => below(100) < percent,
    pick: (list) => at(list, below(list.length)),
    prefer: (list) => {
      const place = rank(32 - Math.clz32(list.length))
      return at(list, place < list.length ? place : below(list.length))
    },
  }
}
