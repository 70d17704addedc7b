import { Button, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorFaults } from './faults.tsx'

type Query = Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>

/** The error of a query, with a button to try again. */
export function RetryFaults({ query: { error, isFetching, refetch } }: { readonly query: Query }) {
  if (!error) return null
  return (
    <Stack align="flex-start" mb="sm">
      <ErrorFaults error={error} />
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </Stack>
  )
}
