import { setImmediate } from 'node:timers/promises'

/** A list as short as this is not worth waiting for. */
const SHORT = 100
/** So few take a millisecond or two: the database is fed through a buffer that is empty again by then. */
const AT_ONCE = 20

/**
 * What is done with a long list; whoever waits for a later one of these goes first. What the database is about to be given
 * comes before the answer to what it has done: it works for one request while the other is answered, and the next one read.
 */
export const STEPS = ['read', 'learn', 'answer', 'write'] as const

type Step = (typeof STEPS)[number]

const waiting: Record<Step, (() => void)[]> = { read: [], learn: [], answer: [], write: [] }
let isBusy = false

/**
 * Maps a long list some items at a time, so that other requests, and answers of the database, have their turn. Long lists
 * themselves wait for each other: taken up in turns, all of them would be done late, and the database would wait.
 */
export async function inTurns<T, R>(
  items: readonly T[],
  step: Step,
  map: (item: T, position: number) => R,
): Promise<R[]> {
  if (items.length <= SHORT) return items.map(map)
  await begin(step)
  try {
    return await mapInTurns(items, map)
  } finally {
    end()
  }
}

/** Waits until a step of a long list may begin that is done in one go. */
export async function untilTurn(length: number, step: Step): Promise<void> {
  if (length <= SHORT) return
  await begin(step)
  end()
}

async function begin(step: Step): Promise<void> {
  if (isBusy) await new Promise<void>((resolve) => waiting[step].push(resolve))
  isBusy = true
}

/** Not at once: the next step of the same request may be about to ask. */
const end = (): void => void setImmediate().then(next)

function next(): void {
  const first = STEPS.findLast((step) => waiting[step].length > 0)
  if (first) waiting[first].shift()?.()
  else isBusy = false
}

async function mapInTurns<T, R>(items: readonly T[], map: (item: T, position: number) => R): Promise<R[]> {
  const mapped: R[] = []
  for (let position = 0; position < items.length; position++) {
    if (position > 0 && position % AT_ONCE === 0) await setImmediate()
    mapped.push(map(items[position] as T, position))
  }
  return mapped
}
