import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for the slowest machine; only a failing test waits this long. */
const DEADLINE_MS = 60_000

/** Waits until a value is truthy, and returns it. A fixed pause fails on a slow machine and wastes time on a fast one. */
export async function until<T>(find: () => T | Promise<T>, otherwise: string): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + DEADLINE_MS; ; await sleep(10)) {
    const found = await find()
    if (found) return found
    assert.ok(Date.now() < deadline, otherwise)
  }
}
