import { Group, Kbd, Modal, SimpleGrid, Text } from '@mantine/core'
import { allShortcuts } from '../ui/shortcuts.ts'

/** Lists all active keyboard shortcuts. */
export function ShortcutHelp({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="lg">
      {isOpen && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing={8}>
          {[...new Map(allShortcuts().map((each) => [each.keys, each])).values()].map(({ keys, label }) => (
            <Group key={keys} justify="space-between" wrap="nowrap">
              <Text size="sm">{label}</Text>
              <Keys keys={keys} />
            </Group>
          ))}
        </SimpleGrid>
      )}
      <Text size="sm" c="dimmed" mt="lg">
        Press the keys of a sequence in order, not together. On a Mac, use ⌘ for Ctrl. While you type in a field, only
        shortcuts with Ctrl work.
      </Text>
    </Modal>
  )
}

function Keys({ keys }: { readonly keys: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      {keys.split(/[ +](?=.)/).map((key, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may be pressed twice
        <Kbd key={i} size="sm">
          {key}
        </Kbd>
      ))}
    </Group>
  )
}
