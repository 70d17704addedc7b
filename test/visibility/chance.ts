/** Random choices that are the same for the same seed. */
export interface Chance {
  /** An integer from 0 up to, but not including, the bound. */
  below(bound: number): number
  flip(probability?: number): boolean
  /** One element of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T
  /** Each element of the list with this probability, in its order. */
  some<T>(list: readonly T[], probability?: number): T[]
}

/** The random choices of a seed. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  // Mulberry32: short, fast, and random enough here.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  const flip = (probability = 0.5) => next() < probability
  return {
    below,
    flip,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    some: (list, probability) => list.filter(() => flip(probability)),
  }
}

/** Between a minimum and a maximum number of numbered names. */
export const named = (chance: Chance, name: string, least: number, most: number): string[] =>
  Array.from({ length: least + chance.below(most - least + 1) }, (_, i) => `${name}${i}`)
