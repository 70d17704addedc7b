/** Numbers that look like chance and are the same everywhere for the same seed. */
export interface Random {
  /** A whole number below 2^32. */
  next(): number
  /** A whole number below a limit. */
  below(limit: number): number
  /** True in so many of a hundred cases. */
  chance(percent: number): boolean
  /** One of a list, all alike. */
  pick<T>(list: readonly T[]): T
  /** One of a list, the more often the earlier it stands there. */
  prefer<T>(list: readonly T[]): T
  /** A place in a ranking of 2^octaves - 1 places, taken about as often as one divided by the place. */
  rank(octaves: number): number
}

/** What the numbers are for: streams of one seed and index have nothing in common. */
export const streams = { identity: 1, content: 2, observables: 3, knownObservables: 4, relationship: 5 } as const

/** The stream of numbers for one object; seed and index are whole numbers below 2^32. */
export function randomOf(seed: number, index: number, stream: number): Random {
  // Whole numbers alone: what processors and engines round differently would give every machine its own data.
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
  // Until neighbouring indexes no longer show in the numbers.
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
