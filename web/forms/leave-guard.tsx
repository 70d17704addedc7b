import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'

interface LeaveGuardProps {
  /** Whether navigating to an address, or leaving the site, would lose changes. */
  readonly isChanged: (to?: Address) => boolean
}

export interface Address {
  readonly pathname: string
  readonly search: object
}

/** Asks for confirmation before unsaved changes are lost. */
export function LeaveGuard({ isChanged }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) => isChanged(next),
    enableBeforeUnload: () => isChanged(),
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?">
      <Stack>
        <Text>Your changes have not been saved and will be lost.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => proceed?.()}>
            Discard changes
          </Button>
          <Button data-autofocus onClick={() => reset?.()}>
            Keep editing
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
