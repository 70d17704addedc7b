import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient } from './errors.ts'
import { createSemaphore } from './semaphore.ts'

const ATTEMPTS = 10
/** From this attempt on, transactions run one at a time: otherwise they might conflict again and again. */
const ALONE_FROM = 4
const FIRST_PAUSE_MS = 5
const MAX_PAUSE_MS = 200

const alone = createSemaphore(1)

/**
 * Runs a transaction, and again after a deadlock or a similar conflict with a concurrent one. Pauses of random length
 * keep the same two from conflicting again.
 */
export async function retried<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (attempt < ALONE_FROM ? transact() : alone(transact))
    } catch (error) {
      if (attempt >= ATTEMPTS || !isTransient(error)) throw error
    }
    await sleep(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS))
  }
}
