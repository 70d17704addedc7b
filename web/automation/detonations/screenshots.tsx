import { Button, Group, Image, Modal, SimpleGrid, UnstyledButton } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { Card } from '../../ui/card.tsx'
import type { Detonation } from './detonation-queries.ts'

/** The path of an address on this server: pages load images from their own server alone. */
const pathOf = (url: string): string => new URL(url, window.location.origin).pathname

/** What the screen of the sandbox showed. */
export function Screenshots({ screenshots }: Pick<Detonation, 'screenshots'>) {
  const [opened, setOpened] = useState<number | null>(null)
  if (screenshots.length === 0) return null
  const shown = opened === null ? undefined : screenshots[opened]
  const nameOf = (i: number) => `Screenshot ${i + 1} of ${screenshots.length}`
  const at = opened ?? 0
  const go = (to: number) => screenshots[to] && setOpened(to)
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') go(at - 1)
    if (key === 'ArrowRight') go(at + 1)
  }
  return (
    <Card title="Screenshots">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }}>
        {screenshots.map(({ url }, i) => (
          <UnstyledButton key={url} onClick={() => setOpened(i)} aria-label={`Enlarge screenshot ${i + 1}`}>
            <Image
              src={pathOf(url)}
              alt={nameOf(i)}
              loading="lazy"
              fit="contain"
              bd="1px solid var(--mantine-color-default-border)"
            />
          </UnstyledButton>
        ))}
      </SimpleGrid>
      <Modal
        opened={shown !== undefined}
        onClose={() => setOpened(null)}
        onKeyDown={press}
        title={nameOf(at)}
        size="70rem"
      >
        {shown && <Image src={pathOf(shown.url)} alt={nameOf(at)} fit="contain" mah="70vh" />}
        {screenshots.length > 1 && (
          <Group justify="center" mt="sm">
            <Button variant="default" aria-keyshortcuts="ArrowLeft" disabled={at === 0} onClick={() => go(at - 1)}>
              Previous
            </Button>
            <Button
              variant="default"
              aria-keyshortcuts="ArrowRight"
              disabled={at === screenshots.length - 1}
              onClick={() => go(at + 1)}
            >
              Next
            </Button>
          </Group>
        )}
      </Modal>
    </Card>
  )
}
