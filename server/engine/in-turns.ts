import { setImmediate } from 'node:timers/promises'

/** A list as short as this is not worth waiting for. */
const SHORT = 100
/** So few take a millisecond or two: the database is fed through a buffer that is empty again by then. */
const AT_ONCE = 20

/** How far what a list belongs to has come: what is nearer to its end goes first. */
export const STEPS = ['read', 'learn', 'write'] as const

type Step = (typeof STEPS)[number]

const waiting: Record<Step, (() => void)[]> = { read: [], learn: [], write: [] }
let isBusy = false

/**
 * Maps a long list some items at a time, so that other requests, and answers of the database, have their turn. Long lists
 * themselves wait for each other: taken up in turns, all of them would be done late, and the database would wait. Those of
 * later steps come before those of earlier ones, so that the database works for one request while the next one is read.
 */
export async function inTurns<T, R>(
  items: readonly T[],
  step: Step,
  map: (item: T, position: number) => R,
): Promise<R[]> {
  if (items.length <= SHORT) return items.map(map)
  if (isBusy) await new Promise<void>((resolve) => waiting[step].push(resolve))
  isBusy = true
  try {
    return await mapInTurns(items, map)
  } finally {
    // The next step of the same request may be about to ask.
    void setImmediate().then(next)
  }
}

function next(): void {
  const first = STEPS.findLast((step) => waiting[step].length > 0)
  if (first) waiting[first].shift()?.()
  else isBusy = false
}

async function mapInTurns<T, R>(items: readonly T[], map: (item: T, position: number) => R): Promise<R[]> {
  const mapped: R[] = []
  for (const [position, item] of items.entries()) {
    if (position > 0 && position % AT_ONCE === 0) await setImmediate()
    mapped.push(map(item, position))
  }
  return mapped
}
