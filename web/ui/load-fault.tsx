import { Button, Stack } from '@mantine/core'
import { ErrorFaults } from './faults.tsx'

interface LoadFaultProps {
  readonly query: {
    readonly error: unknown
    readonly isFetching: boolean
    readonly refetch: () => unknown
  }
}

/** Why a query failed, with a button to try again; nothing if it did not fail. */
export function LoadFault({ query: { error, isFetching, refetch } }: LoadFaultProps) {
  if (!error) return null
  return (
    <Stack align="flex-start" gap="xs" mb="sm">
      <ErrorFaults error={error} />
      <Button variant="default" size="compact-sm" loading={isFetching} onClick={() => void refetch()}>
        Try again
      </Button>
    </Stack>
  )
}
