import { ActionIcon, Group, Stack, Text, Title } from '@mantine/core'
import type { Parameters } from '../../api/lists.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Gap } from '../gaps/gap.ts'
import type { Place } from './matrix-tree.ts'
import { NodeEntities } from './node-entities.tsx'

interface NodePanelProps {
  readonly place: Place
  /** The parameters of heat: which entities count. */
  readonly parameters: Parameters
  readonly gap: Gap | undefined
  readonly analysis: number | undefined
  readonly onClose: () => void
}

/** What is known about a technique: the evidence for its threat, and what defends against it. */
export function NodePanel({ place, parameters, onClose }: NodePanelProps) {
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <div>
          <Text size="xs" c="dimmed" className="code">
            {place.externalId}
          </Text>
          <Title order={2} size="h4">
            {place.name}
          </Title>
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label="Close details" onClick={onClose}>
          <Icon name="close" />
        </ActionIcon>
      </Group>
      <NodeEntities id={place.id} parameters={parameters} />
    </Stack>
  )
}
