import { Button, Code, Group, Modal, Paper, ScrollArea, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Enrichment } from '../../api/resources.ts'
import { sizeOf } from '../../feeds/durations.ts'
import { LoadFault } from '../../ui/load-fault.tsx'
import { prettyAnswer } from '../enrichers/pretty-answer.ts'
import { MAX_SHOWN, rawAddress, rawQuery } from './enrichment-queries.ts'

interface RawAnswerProps {
  readonly enrichment: Pick<Enrichment, 'id' | 'raw_size'>
  /** The name of the enricher. */
  readonly name: string
}

/** Shows what the service answered, and offers it for download. */
export function RawAnswer({ enrichment: { id, raw_size }, name }: RawAnswerProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (!raw_size) return null
  return (
    <>
      <Button size="compact-xs" variant="default" aria-label={`Raw answer of ${name}`} onClick={() => setIsOpen(true)}>
        Raw answer
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={`Answer of ${name}`} size="xl">
        <Stack>
          <Content id={id} />
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {sizeOf(raw_size)}
              {raw_size > MAX_SHOWN && ', of which the beginning is shown'}
            </Text>
            <Button component="a" variant="default" href={rawAddress(id)} download={`enrichment-${id}.txt`}>
              Download answer
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

function Content({ id }: { readonly id: number }) {
  const raw = useQuery(rawQuery(id))
  if (raw.error) return <LoadFault query={raw} />
  if (raw.data === undefined) return <Skeleton h={240} role="status" aria-label="Loading" />
  return (
    <Paper withBorder>
      <ScrollArea.Autosize mah={460} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'Raw answer' }}>
        <Code block bg="transparent">
          {prettyAnswer(raw.data)}
        </Code>
      </ScrollArea.Autosize>
    </Paper>
  )
}
