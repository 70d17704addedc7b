import { Alert, Paper, SimpleGrid, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { Chart } from '../analytics/chart.tsx'
import { type Counted, chartOption, type Ink } from '../analytics/chart-option.ts'
import { idOf } from '../api/lists.ts'
import { RunStateBadge } from '../background/run-state.tsx'
import { Card } from '../ui/card.tsx'
import { CopyText } from '../ui/copy-text.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { inSentence } from '../ui/in-sentence.ts'
import { Moment } from '../ui/moment.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { durationOf } from './durations.ts'
import { type FeedDay, type FeedKind, type FeedStatistics, statisticsQuery } from './feed-queries.ts'

interface FeedOverviewProps {
  readonly kind: FeedKind
  readonly id: string
  /** The addresses where clients fetch or push content. */
  readonly access: unknown
}

/** The overview of a feed: health, daily volume and latest runs. */
export function FeedOverview({ kind, id, access }: FeedOverviewProps) {
  const statistics = useQuery({ ...statisticsQuery(kind, id), refetchInterval: 10_000 })
  if (statistics.error) return <ErrorFaults error={statistics.error} />
  if (!statistics.data) return <Skeleton h={240} role="status" aria-label="Loading" />
  const { health, content } = statistics.data
  return (
    <Stack>
      {health.last_error && (
        <Alert
          color="red"
          title={health.failures === 1 ? 'The last run failed' : `The last ${health.failures} runs failed`}
        >
          {health.last_error}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
        <Fact label="Last run">
          <Moment at={health.last_triggered_at} otherwise="Never" />
        </Fact>
        <Fact label="Last success">
          <Moment at={health.last_success_at} otherwise="Never" />
        </Fact>
        <Fact label={kind === 'incoming' ? 'Since new data' : 'Since last success'}>
          {durationOf(kind === 'incoming' ? health.seconds_since_new : health.seconds_since_success)}
        </Fact>
        <Fact label="Next run">
          <Moment at={health.next_run_at} />
        </Fact>
        <Fact label="Pending">{health.pending}</Fact>
        <Fact label={kind === 'incoming' ? 'Entities imported' : 'Items sent'}>
          {(kind === 'incoming' ? content?.entities : content?.items)?.toLocaleString('en') ?? '–'}
        </Fact>
      </SimpleGrid>
      {content && <Days kind={kind} days={content.days} />}
      {content === null && (
        <Text size="sm">The volume is visible only to users with access to the source of this feed.</Text>
      )}
      <Access access={access} />
      <LatestRuns runs={statistics.data.runs} />
    </Stack>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{children}</Text>
    </Paper>
  )
}

function Days({ kind, days }: { readonly kind: FeedKind; readonly days: readonly FeedDay[] }) {
  const option = useCallback((ink: Ink) => chartOption('bar', countedOf(kind, days), ink), [kind, days])
  const total = days.reduce((sum, day) => sum + (day.items ?? objectsOf(day)), 0)
  const what = kind === 'incoming' ? 'Objects' : 'Items'
  return (
    <Card title={`${what} per day`}>
      <Chart
        option={option}
        height={180}
        label={`${total.toLocaleString('en')} ${inSentence(what)} in ${days.length} days`}
      />
    </Card>
  )
}

const objectsOf = ({ objects = {} }: FeedDay): number => Object.values(objects).reduce((sum, count) => sum + count, 0)

/** The daily volume as chart data: for incoming feeds by outcome, for outgoing feeds the number of items. */
function countedOf(kind: FeedKind, days: readonly FeedDay[]): Counted {
  const outcomes = [...new Set(days.flatMap(({ objects = {} }) => Object.keys(objects)))]
  const series = kind === 'outgoing' ? ['items'] : outcomes.length > 0 ? outcomes : ['objects']
  return {
    aggregations: series.map((key) => ({
      key,
      values: days.map(
        (day) => [day.date, kind === 'outgoing' ? (day.items ?? 0) : (day.objects?.[key] ?? 0)] as const,
      ),
    })),
    group_by_value_mappings: {},
    split_by_value_mapping: Object.fromEntries(series.map((key) => [key, key])),
    total_count: 0,
  }
}

/** Labels of the addresses. */
const ADDRESSES: Readonly<Record<string, string>> = {
  collection_url: 'TAXII collection',
  taxii_collection_url: 'TAXII collection',
  content_blocks_url: 'Content blocks',
  download_url: 'All blocks',
  latest_url: 'Blocks of the latest run',
  latest_content_url: 'Latest content (for firewalls and other servers)',
  push_url: 'Push endpoint',
}

/** The addresses for clients of the feed. */
function Access({ access }: { readonly access: unknown }) {
  const texts = Object.entries((access ?? {}) as Record<string, unknown>).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  if (texts.length === 0) return null
  return (
    <Card
      title="Addresses"
      description="Clients authenticate with the API token of a user who has access to this content."
    >
      {texts.map(([name, text]) => (
        <CopyText key={name} label={ADDRESSES[name] ?? name.replaceAll('_', ' ')} text={text} />
      ))}
    </Card>
  )
}

function LatestRuns({ runs }: Pick<FeedStatistics, 'runs'>) {
  return (
    <Card title="Latest runs">
      {runs.length === 0 && <Text size="sm">No runs yet.</Text>}
      {runs.length > 0 && (
        <Table>
          <Table.Tbody>
            {runs.map(({ task_run, state, started_at, seconds }) => (
              <Table.Tr key={task_run}>
                <Table.Td>
                  <RunStateBadge state={state} />
                </Table.Td>
                <Table.Td>
                  <Moment at={started_at} otherwise="Not started" />
                </Table.Td>
                <Table.Td ta="end">{durationOf(seconds)}</Table.Td>
                <Table.Td ta="end">
                  <PageLink to={`/runs/${idOf(task_run)}`}>Details</PageLink>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  )
}
