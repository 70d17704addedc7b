import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listQuery } from '../../api/lists.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { NO_FILTERS, SUGGESTIONS, type Suggestion, suggestionParameters } from '../consolidation/suggestion.ts'

const PAGE = '/consolidation-suggestions'
const REFRESH_MS = 60_000

/** The number of pairs of entities that wait for a decision. */
export function SuggestionsCard() {
  const open = useQuery({
    ...listQuery<Suggestion>(SUGGESTIONS, { ...suggestionParameters('open', NO_FILTERS), limit: 1 }),
    refetchInterval: REFRESH_MS,
  })
  const count = open.data?.total_count ?? 0
  return (
    <Card title="Suggested matches" actions={<PageLink to={PAGE}>Open</PageLink>}>
      <LoadFault query={open} />
      {open.isPending && <Skeleton h={84} role="status" aria-label="Loading suggestions" />}
      {open.data && count === 0 && (
        <Text size="sm" c="dimmed">
          Decide about entities that may be the same but are not equal enough to be joined automatically.
        </Text>
      )}
      {count > 0 && (
        <Stack gap="sm" align="flex-start">
          <Group gap={6} align="baseline">
            <Text fz={28} fw={600} lh={1}>
              {count.toLocaleString('en')}
            </Text>
            <Text size="sm" c="dimmed">
              open {count === 1 ? 'suggestion' : 'suggestions'}
            </Text>
          </Group>
          <Button size="compact-sm" variant="light" renderRoot={(props) => <Link to={PAGE} {...props} />}>
            Review suggestions
          </Button>
        </Stack>
      )}
    </Card>
  )
}
