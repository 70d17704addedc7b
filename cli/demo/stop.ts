/** Tells whether the person at the keyboard wants to stop. */
export interface Stop {
  /** No new work is to be begun. */
  isAsked(): boolean
  /** Aborted when even the work in flight is to end. */
  readonly signal: AbortSignal
  close(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const PAUSE_MS = 1000

/** Listens for Ctrl+C until it is closed: once asks to stop, twice stops at once. */
export function listenForStop(say: (text: string) => void): Stop {
  const controller = new AbortController()
  let askedAt: number | undefined
  const hear = () => {
    if (askedAt === undefined) {
      askedAt = Date.now()
      say('\nStopping after what is in flight; Ctrl+C again stops at once.')
      return
    }
    // npm and the terminal both pass on one and the same Ctrl+C.
    if (Date.now() - askedAt > PAUSE_MS) controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, hear)
  return {
    isAsked: () => askedAt !== undefined,
    signal: controller.signal,
    close: () => {
      for (const signal of SIGNALS) process.off(signal, hear)
    },
  }
}
