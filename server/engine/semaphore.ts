/** Runs work while slots are free, and queues the rest in order of arrival. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

interface Queue {
  readonly maxQueued: number
  /** The error for work that arrives when the queue is full. */
  refuse(): Error
}

/** Lets `slots` pieces of work run at the same time. The queue is unlimited unless `queue` says otherwise. */
export function createSemaphore(slots: number, queue?: Queue): Semaphore {
  const waiting: (() => void)[] = []
  let free = slots
  return async (work) => {
    if (queue && waiting.length >= queue.maxQueued) throw queue.refuse()
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes directly to the next in the queue, so that no later call can take it.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
