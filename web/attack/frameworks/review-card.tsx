import { Badge, Button, Checkbox, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PageLink } from '../../ui/page-link.tsx'
import { namedNodesQuery, placeOf } from '../nodes.ts'
import { frameworkName } from './framework.ts'
import { KeyHint } from './key-hint.tsx'
import type { Outcome, Review } from './review.ts'
import { usesInWords } from './uses.ts'

const OUTCOMES: Readonly<Record<Outcome, { readonly label: string; readonly color: string }>> = {
  chosen: { label: 'Mapped', color: 'green' },
  kept: { label: 'Kept', color: 'gray' },
  gone: { label: 'Decided before', color: 'gray' },
}

interface ReviewCardProps {
  readonly review: Review
  /** What was decided; undefined while it is open. */
  readonly outcome: Outcome | undefined
  readonly selected: readonly string[]
  readonly onSelect: (selected: readonly string[]) => void
  readonly isBlocked: boolean
  readonly onDecide: (successors: readonly string[]) => void
}

/** A node with what uses it and its successors. */
export function ReviewCard({ review, outcome, selected, onSelect, isBlocked, onDecide }: ReviewCardProps) {
  const { data: nodes } = useQuery(namedNodesQuery(review.matrix))
  const used = usesInWords(review)
  return (
    <Paper withBorder p="lg" component="section" aria-label={`${review.node.id} ${review.node.name}`}>
      <Stack gap="md">
        <div>
          <Group gap="xs">
            <Title order={2} size="h3">
              {review.node.name}
            </Title>
            <Text size="sm" c="dimmed" className="code">
              {review.node.id}
            </Text>
            {outcome && (
              <Badge variant="light" radius="xs" color={OUTCOMES[outcome].color}>
                {OUTCOMES[outcome].label}
              </Badge>
            )}
          </Group>
          <Text size="sm" mt={4}>
            {frameworkName(review.matrix)} · used by{' '}
            {review.entities > 0 ? (
              <PageLink to="/" search={{ q: `meta.attacks:"${review.node.id}"` }}>
                {used}
              </PageLink>
            ) : (
              used || 'nothing that you see'
            )}
          </Text>
        </div>
        <Stack gap={0} component="ol" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Successors">
          {review.successors.map(({ id, name }, i) => {
            const { technique, tactic } = placeOf(nodes ?? new Map(), id)
            return (
              <Group
                key={id}
                component="li"
                gap="sm"
                wrap="nowrap"
                py={8}
                style={{ borderTop: '1px solid var(--corvus-line)' }}
              >
                <Checkbox
                  size="sm"
                  aria-label={`Select ${id} ${name}`}
                  checked={selected.includes(id)}
                  disabled={isBlocked}
                  onChange={({ currentTarget }) =>
                    onSelect(currentTarget.checked ? [...selected, id] : selected.filter((each) => each !== id))
                  }
                />
                <div style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                  <Text size="sm" fw={600}>
                    {technique && `${technique.name}: `}
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    <span className="code">{id}</span>
                    {tactic && ` · ${tactic.name}`}
                  </Text>
                </div>
                <Button
                  size="compact-sm"
                  variant="light"
                  disabled={isBlocked}
                  aria-label={`Map to ${id} ${name}`}
                  aria-keyshortcuts={i < 9 ? String(i + 1) : undefined}
                  onClick={() => onDecide([id])}
                >
                  Map to this {i < 9 && <KeyHint name={String(i + 1)} />}
                </Button>
              </Group>
            )
          })}
        </Stack>
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            A choice changes classifications, annotations, layers and your own defenses at once. Undo the load to take
            all choices back.
          </Text>
          <Button
            size="compact-sm"
            variant="subtle"
            aria-keyshortcuts="A"
            disabled={isBlocked}
            onClick={() => onDecide(review.successors.map(({ id }) => id))}
          >
            Map to all {review.successors.length} <KeyHint name="A" />
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
