import { Button, Stack } from '@mantine/core'
import { ErrorFaults } from './faults.tsx'

interface LoadFaultProps {
  readonly error: unknown
  readonly isRetrying: boolean
  readonly onRetry: () => void
}

/** Why something could not be loaded, with a button to try again. */
export const LoadFault = ({ error, isRetrying, onRetry }: LoadFaultProps) => (
  <Stack align="flex-start" gap="xs">
    <ErrorFaults error={error} />
    <Button variant="default" size="compact-sm" loading={isRetrying} onClick={onRetry}>
      Try again
    </Button>
  </Stack>
)
