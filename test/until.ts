import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for the slowest machine; only a test that fails waits for it. */
const DEADLINE_MS = 60_000

/** Waits until something is there or true, and gives it. A fixed pause would fail on a slow machine and waste time on a fast one. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, undefined | null | false | 0 | ''>> {
  for (const deadline = Date.now() + DEADLINE_MS; ; await sleep(10)) {
    const found = await look()
    if (found) return found as Exclude<T, undefined | null | false | 0 | ''>
    assert.ok(Date.now() < deadline, `Waited in vain for ${what}.`)
  }
}
