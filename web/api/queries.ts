import { QueryClient } from '@tanstack/react-query'
import { CallError } from './call.ts'

/** How often what may pass by itself is asked for again. */
const ATTEMPTS = 2

/** What the page knows of the server: asked for once, shared by all who show it, and asked for again when it may be old. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What was refused is refused again; only a lost connection or a server in trouble may be better soon.
      retry: (failures, error) => failures < ATTEMPTS && !(error instanceof CallError && isFinal(error.status)),
    },
  },
})

const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 429
