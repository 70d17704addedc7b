/** Whether the user wants to stop. */
export interface Stop {
  /** Whether no new work should start. */
  isAsked(): boolean
  /** Aborted when running work should end too. */
  readonly signal: AbortSignal
  close(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const PAUSE_MS = 1000

/** Listens for Ctrl+C until closed: the first stops gracefully, the second immediately. */
export function listenForStop(say: (text: string) => void): Stop {
  const controller = new AbortController()
  let askedAt: number | undefined
  const hear = () => {
    if (askedAt === undefined) {
      askedAt = Date.now()
      say('\nStopping after the current batches; press Ctrl+C again to stop immediately.')
      return
    }
    // npm and the terminal both forward the same Ctrl+C.
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
