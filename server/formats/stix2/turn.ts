/** Yields to the event loop, so that pending requests are served during long computations. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
