import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Repeats work until the signal aborts; consecutive failures are logged once. */
export async function repeat(
  log: Logger,
  what: string,
  signal: AbortSignal,
  work: () => Promise<unknown>,
  pause: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  let hasFailed = false
  while (!signal.aborted) {
    try {
      await work()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.warn(error, `${what} failed; it is tried again`)
      hasFailed = true
    }
    if (!signal.aborted) await pause(signal).catch(() => {})
  }
}

/** A pause of `repeat` that ends early when the signal aborts. */
export const every =
  (ms: number) =>
  (signal: AbortSignal): Promise<void> =>
    sleep(ms, undefined, { signal })

/** Lets one waiter sleep until it is woken; a ring without a waiter is kept. */
export interface Alarm {
  ring(): void
  wait(ms: number): Promise<void>
}

export function createAlarm(): Alarm {
  let isRung = false
  let wake = () => {}
  return {
    ring: () => {
      isRung = true
      wake()
    },
    wait: async (ms) => {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isRung = false
    },
  }
}
