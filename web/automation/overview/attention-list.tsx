import { Badge, Group, Stack, Text } from '@mantine/core'
import { defangText } from '../../domain/defang-text.ts'
import { Card } from '../../ui/card.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { Attention } from './attention.ts'

interface AttentionListProps {
  readonly found: readonly Attention[]
  /** Shown if nothing needs attention. */
  readonly otherwise: string
}

const MAX_SHOWN = 10

/** What needs attention, the most urgent first. */
export const AttentionList = ({ found, otherwise }: AttentionListProps) => (
  <Card title="Needs attention">
    {found.length === 0 && (
      <Text size="sm" c="dimmed">
        {otherwise}
      </Text>
    )}
    <Stack gap="sm">
      {found.slice(0, MAX_SHOWN).map(({ to, name, kind, label, color, reason }) => (
        <div key={to}>
          <Group gap="xs" wrap="nowrap">
            <PageLink to={to} fw={500} truncate="end">
              {defangText(name)}
            </PageLink>
            <Text size="xs" c="dimmed" flex="none">
              {kind}
            </Text>
            <Badge variant="light" radius="xs" color={color} ml="auto" flex="none">
              {label}
            </Badge>
          </Group>
          {reason && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {defangText(reason)}
            </Text>
          )}
        </div>
      ))}
      {found.length > MAX_SHOWN && <Text size="sm">{(found.length - MAX_SHOWN).toLocaleString('en')} more.</Text>}
    </Stack>
  </Card>
)
