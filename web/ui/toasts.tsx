import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { sortFaults } from './faults.tsx'

/** How long something can be undone from its toast. */
const UNDO_MS = 10_000

/** Says shortly that something is done; where it can be undone, with a button for that. */
export function say(message: string, undo?: () => Promise<unknown>): void {
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
            void undo().then(() => notifications.show({ message: 'Undone.' }), sayFault)
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
}

/** Says what went wrong, where no form or page can show it. */
export function sayFault(error: unknown): void {
  notifications.show({ color: 'red', message: sortFaults(error, []).others.join(' '), role: 'alert' })
}

/** Says that a chart did not come, with an id of its own: a page of charts says it once. */
export function sayNotLoaded(): void {
  const message = 'Charts could not be loaded: the server did not answer. Reload the page to see them.'
  notifications.show({ id: 'charts-not-loaded', color: 'red', message, role: 'alert' })
}
