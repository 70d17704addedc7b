import { setImmediate } from 'node:timers/promises'

const AT_ONCE = 100

/** Maps a long list some items at a time, so that other requests, and answers of the database, have their turn. */
export async function inTurns<T, R>(items: readonly T[], map: (item: T, position: number) => R): Promise<R[]> {
  if (items.length <= AT_ONCE) return items.map(map)
  const mapped: R[] = []
  for (const [position, item] of items.entries()) {
    if (position % AT_ONCE === 0) await setImmediate()
    mapped.push(map(item, position))
  }
  return mapped
}
