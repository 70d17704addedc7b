import { isTransient } from './errors.ts'

const ATTEMPTS = 4

/** Runs a transaction, and again where it met with a deadlock or the like: a fault that is nobody's. */
export async function retried<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact()
    } catch (error) {
      if (attempt >= ATTEMPTS || !isTransient(error)) throw error
    }
  }
}
