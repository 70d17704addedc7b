import { Badge, Box, Group, Paper, SimpleGrid, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../api/call.ts'
import { type Page, searchOf } from '../api/lists.ts'
import { useMay } from '../api/session.ts'
import { healthQuery } from '../feeds/feed-queries.ts'
import { useApi } from '../generic/use-api.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { type FollowerStatus, FollowerTable } from './follower-table.tsx'
import { bytes, span } from './measures.ts'
import { type QueueStatus, QueueTable } from './queue-table.tsx'

interface Status extends QueueStatus {
  readonly node_version: string
  readonly uptime_seconds: number
  readonly memory_bytes: number
  readonly database: { readonly version: string; readonly size_bytes: number; readonly connections: number }
  readonly queue: {
    readonly waiting: number
    readonly running: number
    readonly failed_last_day: number
    readonly longest_wait_seconds: number
  }
  readonly blobs: { readonly count: number; readonly size_bytes: number }
  readonly mails: { readonly waiting: number; readonly failed: number }
  readonly followers: readonly FollowerStatus[]
}

const REFRESH_MS = 15_000

/** Jobs waiting longer than this indicate that the workers are not running. */
const MAX_WAIT_SECONDS = 300

/** The current state of the installation. */
export function SystemStatus() {
  const { document } = useApi()
  const status = useQuery({
    queryKey: ['system/status'],
    queryFn: async () => (await call<{ data: Status }>('GET', 'system/status')).data,
    refetchInterval: REFRESH_MS,
  })
  const { data, error } = status
  return (
    <section aria-label="System status">
      <Title order={2} size="h5" mb="xs">
        System status
      </Title>
      <ErrorFaults error={error} />
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm" mb="lg">
        <Tile label="Corvus" value={document?.info.version}>
          {data && `Node ${data.node_version}, up ${span(data.uptime_seconds)}`}
        </Tile>
        <Tile label="Database" value={data && bytes(data.database.size_bytes)}>
          {data && `PostgreSQL ${data.database.version}, ${data.database.connections} connections`}
        </Tile>
        <Tile
          label="Queue"
          value={data && `${data.queue.waiting + data.queue.running}`}
          isBad={data !== undefined && data.queue.longest_wait_seconds > MAX_WAIT_SECONDS}
        >
          {data && queueText(data.queue)}
        </Tile>
        <Tile label="Blobs" value={data && bytes(data.blobs.size_bytes)}>
          {data && `${data.blobs.count.toLocaleString('en')} ${data.blobs.count === 1 ? 'file' : 'files'}`}
        </Tile>
        <FeedTile />
        <IntelligenceTile />
      </SimpleGrid>
      {data && (
        <>
          <Title order={3} size="h6">
            Followers of the change log
          </Title>
          <Text size="xs" c="dimmed" mb="xs">
            They react to changes after these are saved: they send notifications and webhooks, and apply discovery
            rules.
          </Text>
          <Box mb="lg">
            <FollowerTable followers={data.followers} />
          </Box>
          <Title order={3} size="h6">
            Automation queues
          </Title>
          <Text size="xs" c="dimmed" mb="xs">
            Look-ups of enrichers, submissions to detonators and runs of playbooks that have not ended. If what is due
            keeps growing, no worker is running, or a service does not answer.
          </Text>
          <Box mb="lg">
            <QueueTable enrichers={data.enrichers} detonators={data.detonators} playbooks={data.playbooks} />
          </Box>
        </>
      )}
    </section>
  )
}

const queueText = ({ waiting, running, failed_last_day, longest_wait_seconds }: Status['queue']): string => {
  const wait = waiting > 0 ? `, longest wait ${span(longest_wait_seconds)}` : ''
  return `${running} running, ${waiting} queued${wait}; ${failed_last_day} failed in the last 24 hours`
}

function FeedTile() {
  const may = useMay()
  const mayRead = may('read incoming-feeds') || may('read outgoing-feeds')
  const feeds = useQuery({ ...healthQuery(), refetchInterval: REFRESH_MS, enabled: mayRead })
  const ill = feeds.data?.filter(({ state }) => state === 'STALE' || state === 'FAILING') ?? []
  const text =
    ill.length === 0
      ? 'No failing or stale feeds'
      : ill.map(({ name, state }) => `${name} (${state.toLowerCase()})`).join(', ')
  return (
    <Tile label="Feeds" value={mayRead ? feeds.data && `${feeds.data.length}` : '–'} isBad={ill.length > 0}>
      {text}
    </Tile>
  )
}

const COUNTED = ['entities', 'observables', 'relationships'] as const

function IntelligenceTile() {
  const may = useMay()
  const mayRead = may('read entities') && may('read extracts')
  const counts = useQuery({
    queryKey: ['entities', 'counts'],
    queryFn: () =>
      Promise.all(
        COUNTED.map(
          async (path) => (await call<Page<never>>('GET', `${path}${searchOf({ data: false })}`)).total_count,
        ),
      ),
    enabled: mayRead,
    staleTime: REFRESH_MS,
  })
  const [entities, observables, relationships] = counts.data ?? []
  return (
    <Tile label="Visible entities" value={mayRead ? entities?.toLocaleString('en') : '–'}>
      {counts.data &&
        `${observables?.toLocaleString('en')} observables, ${relationships?.toLocaleString('en')} relationships`}
    </Tile>
  )
}

interface TileProps {
  readonly label: string
  readonly value: string | undefined
  readonly isBad?: boolean
  readonly children?: ReactNode
}

const Tile = ({ label, value, isBad = false, children }: TileProps) => (
  <Paper withBorder p="sm">
    <Group justify="space-between" gap={4} wrap="nowrap">
      <Text size="xs" c="dimmed" fw={600}>
        {label}
      </Text>
      {isBad && (
        <Badge color="red" variant="light" size="xs" radius="xs">
          Needs attention
        </Badge>
      )}
    </Group>
    {value === undefined ? (
      <Skeleton height={24} width={70} my={2} />
    ) : (
      <Text fz="lg" fw={600}>
        {value}
      </Text>
    )}
    <Text size="xs" c="dimmed" lineClamp={3}>
      {children}
    </Text>
  </Paper>
)
