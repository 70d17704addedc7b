/** Runs work in one of a number of places, and lets the rest wait in the order in which it came. */
export type Places = <T>(work: () => Promise<T>) => Promise<T>

export function openPlaces(count: number): Places {
  const waiting: (() => void)[] = []
  let free = count
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
