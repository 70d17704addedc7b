import { Badge, Group, Loader, Text } from '@mantine/core'
import type { Enrichment } from '../../api/resources.ts'

const STATES: Readonly<Record<Enrichment['state'], { readonly label: string; readonly color: string }>> = {
  PENDING: { label: 'In the queue', color: 'blue' },
  FOUND: { label: 'Found', color: 'green' },
  EMPTY: { label: 'Not known', color: 'gray' },
  FAILED: { label: 'Failed', color: 'red' },
  SKIPPED: { label: 'Skipped', color: 'yellow' },
}

interface EnrichmentStateProps {
  readonly enrichment: Pick<Enrichment, 'state' | 'is_pending'>
}

/** The state of a look-up, as text and colour. */
export function EnrichmentState({ enrichment: { state, is_pending } }: EnrichmentStateProps) {
  const { label, color } = STATES[state]
  return (
    <Group gap={6} wrap="nowrap">
      <Badge variant="light" radius="xs" color={color} flex="none">
        {label}
      </Badge>
      {is_pending && (
        <>
          <Loader size={12} aria-hidden />
          {state !== 'PENDING' && (
            <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              Looking up again
            </Text>
          )}
        </>
      )}
    </Group>
  )
}
