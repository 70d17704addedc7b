import { Box } from '@mantine/core'
import { LoadFault } from './load-fault.tsx'

interface RetryFaultsProps {
  readonly query: {
    readonly error: unknown
    readonly isFetching: boolean
    readonly refetch: () => Promise<unknown>
  }
}

/** Why a query failed, with a button to try again; nothing if it did not. */
export function RetryFaults({ query: { error, isFetching, refetch } }: RetryFaultsProps) {
  if (!error) return null
  return (
    <Box mb="sm">
      <LoadFault error={error} isRetrying={isFetching} onRetry={() => void refetch()} />
    </Box>
  )
}
