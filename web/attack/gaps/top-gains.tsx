import { Group, List, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Parameters } from '../../api/lists.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { gainInWords, gainsQuery, logSourceName } from './gap.ts'

/** How many log sources are named. */
const TOP = 3

interface TopGainsProps {
  readonly parameters: Parameters
  /** The query parameters of other pages for the same scope. */
  readonly search: Readonly<Record<string, string | undefined>>
}

/** The log sources that are worth collecting first, in sentences; nothing if none would open anything. */
export function TopGains({ parameters, search }: TopGainsProps) {
  const { data: gains } = useQuery(gainsQuery(parameters, TOP))
  if (!gains || gains.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label="What to collect next">
      <Group justify="space-between" align="baseline" gap="xs">
        <Text size="sm" fw={600}>
          What to collect next
        </Text>
        <PageLink to="/attack/log-sources" search={{ ...search, view: 'gains' }} size="xs">
          Show more
        </PageLink>
      </Group>
      <List size="sm" mt={6} spacing={4}>
        {gains.map((gain) => (
          <List.Item key={gain.log_source.id}>
            Collecting{' '}
            <Text component="span" inherit fw={600} className="code">
              {logSourceName(gain.log_source)}
            </Text>{' '}
            opens {gainInWords(gain)}.
          </List.Item>
        ))}
      </List>
    </Paper>
  )
}
