import { QueryClient } from '@tanstack/react-query'
import { CallError } from './call.ts'

/** How often requests are retried after temporary errors. */
const ATTEMPTS = 2

/** The cache of server data, shared by all components and refreshed when stale. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Rejected requests would be rejected again; only connection and server errors are worth a retry.
      retry: (failures, error) => failures < ATTEMPTS && !(error instanceof CallError && isFinal(error.status)),
    },
  },
})

const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 429
