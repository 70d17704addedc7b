import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for the slowest machine; only a failing test waits this long. */
const DEADLINE_MS = 60_000
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 100]

/** Waits until a value is truthy, and returns it. A fixed pause fails on a slow machine and wastes time on a fast one. */
export async function until<T>(find: () => T | Promise<T>, otherwise: string): Promise<NonNullable<T>> {
  const deadline = Date.now() + DEADLINE_MS
  for (const pause = growingPause(); ; await pause()) {
    const found = await find()
    if (found) return found
    assert.ok(Date.now() < deadline, otherwise)
  }
}

/** Pauses between looks, each longer than the one before: looking often slows down what a test waits for. */
export function growingPause(): () => Promise<void> {
  let next = FIRST_PAUSE_MS
  return async () => {
    await sleep(next)
    next = Math.min(next * 1.3, LONGEST_PAUSE_MS)
  }
}
