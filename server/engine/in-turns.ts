import { setImmediate } from 'node:timers/promises'

/** Items take about 0.1 ms each, so other requests wait for a millisecond or two. */
const ITEMS_PER_TURN = 20

/** Maps a long list a few items at a time, so that other requests are served in between. */
export async function inTurns<T, R>(items: readonly T[], map: (item: T, position: number) => R): Promise<R[]> {
  const mapped: R[] = []
  for (const [position, item] of items.entries()) {
    if (position > 0 && position % ITEMS_PER_TURN === 0) await setImmediate()
    mapped.push(map(item, position))
  }
  return mapped
}
