import { Group, List, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Parameters } from '../../api/lists.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { gainInWords, gainsQuery, logSourceName } from './gap.ts'

/** How many log sources are named. */
const TOP = 3

/** The log sources that are worth collecting first, in sentences; nothing if none would open anything. */
export function TopGains({ parameters }: { readonly parameters: Parameters }) {
  const { data: gains } = useQuery(gainsQuery(parameters, TOP))
  if (!gains || gains.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label="What to collect next">
      <Group justify="space-between" align="baseline" gap="xs">
        <Text size="sm" fw={600}>
          What to collect next
        </Text>
        <PageLink to="/attack/log-sources" size="xs">
          All log sources
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
