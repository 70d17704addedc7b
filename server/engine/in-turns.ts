import { setImmediate } from 'node:timers/promises'

const AT_ONCE = 100

let last: Promise<unknown> = Promise.resolve()

/**
 * Maps a long list some items at a time, so that other requests, and answers of the database, have their turn. Long lists
 * themselves wait for each other: taken up in turns, all of them would be done late, and the database would wait.
 */
export async function inTurns<T, R>(items: readonly T[], map: (item: T, position: number) => R): Promise<R[]> {
  if (items.length <= AT_ONCE) return items.map(map)
  const mapped = last.then(() => mapInTurns(items, map))
  last = mapped.catch(() => {})
  return mapped
}

async function mapInTurns<T, R>(items: readonly T[], map: (item: T, position: number) => R): Promise<R[]> {
  const mapped: R[] = []
  for (const [position, item] of items.entries()) {
    if (position > 0 && position % AT_ONCE === 0) await setImmediate()
    mapped.push(map(item, position))
  }
  return mapped
}
