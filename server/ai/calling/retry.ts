import { setTimeout as sleep } from 'node:timers/promises'
import { CallError } from './call-error.ts'

const MAX_ATTEMPTS = 3
const FIRST_PAUSE_MS = 500
/** A provider that wants more time than this is reported as busy. */
const MAX_PAUSE_MS = 20_000

/** Waits until a call that failed may be tried again; throws the error if that is hopeless, or the reason of the signal. */
export async function pauseBeforeRetry(attempt: number, error: unknown, signal: AbortSignal): Promise<void> {
  if (signal.aborted || !(error instanceof CallError) || attempt >= MAX_ATTEMPTS) throw error
  if (error.kind !== 'busy' && error.kind !== 'down') throw error
  const { retryAfter } = error
  const pause = retryAfter === undefined ? FIRST_PAUSE_MS * 2 ** (attempt - 1) : retryAfter * 1000
  if (pause > MAX_PAUSE_MS) throw error
  try {
    await sleep(pause, undefined, { signal })
  } catch {
    throw signal.reason
  }
}
