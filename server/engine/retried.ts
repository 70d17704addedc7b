import { setTimeout as sleep } from 'node:timers/promises'
import { isTransient } from './errors.ts'
import { createSemaphore } from './semaphore.ts'

const ATTEMPTS = 10
/** From this attempt on, one transaction at a time: those that keep meeting each other would go on to. */
const ALONE_FROM = 4
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 200

const alone = createSemaphore(1)

/**
 * Runs a transaction, and again where it met with a deadlock or the like: a conflict that neither side is to blame for. Pauses of random length
 * keep two of them from meeting in the same way again.
 */
export async function retried<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await (attempt < ALONE_FROM ? transact() : alone(transact))
    } catch (error) {
      if (attempt >= ATTEMPTS || !isTransient(error)) throw error
    }
    await sleep(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS))
  }
}
