import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { sortFaults } from './faults.tsx'

/** How long the undo button is shown. */
const UNDO_MS = 10_000

/** Shows a short confirmation, with an undo button if the action can be undone. */
export function showToast(message: string, undo?: () => Promise<unknown>): void {
  if (!undo) {
    notifications.show({ message })
    return
  }
  const id = notifications.show({
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id)
            void undo().then(() => notifications.show({ message: 'Undone' }), showErrorToast)
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}

/** Shows an error that belongs to no form or page. */
export function showErrorToast(error: unknown): void {
  showErrorMessage(sortFaults(error, []).others.join(' '))
}

export function showErrorMessage(message: string): void {
  notifications.show({ color: 'red', message, role: 'alert' })
}

/** Shows that charts could not be loaded. The fixed id keeps a page with several charts from repeating it. */
export function showChartsNotLoaded(): void {
  const message = 'Charts could not be loaded because the server did not respond. Reload the page to try again.'
  notifications.show({ id: 'charts-not-loaded', color: 'red', message, role: 'alert' })
}
