import { Button, Paper, Skeleton, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { invalidate } from '../api/invalidate.ts'
import { idOf, listQuery } from '../api/lists.ts'
import type { IncomingFeed, OutgoingFeed } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Moment } from '../ui/moment.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { useCreateForm } from '../ui/use-create-form.ts'
import { durationOf } from './durations.ts'
import { FeedForm } from './feed-form.tsx'
import { type FeedHealth, type FeedKind, healthQuery } from './feed-queries.ts'
import { FeedState } from './feed-state.tsx'
import { Sparkline } from './sparkline.tsx'
import { transportName } from './transport-form.ts'
import { useTransports } from './use-transports.ts'

type Feed = IncomingFeed | OutgoingFeed

/** The number of days in the volume column. */
const DAYS = 14

const TEXTS: Readonly<
  Record<FeedKind, { readonly title: string; readonly description: string; readonly empty: string }>
> = {
  incoming: {
    title: 'Incoming feeds',
    description: 'Intelligence collected from external sources.',
    empty:
      'An incoming feed collects intelligence automatically, from a TAXII server, a MISP feed, a web page or a folder, or receives it from clients that push it.',
  },
  outgoing: {
    title: 'Outgoing feeds',
    description: 'Intelligence published to firewalls, SIEMs and partners.',
    empty:
      'An outgoing feed publishes the contents of datasets automatically: as downloads, over TAXII, by email, or pushed to a URL.',
  },
}

/** All feeds of one direction with their health, those with problems first. */
export function FeedList({ kind }: { readonly kind: FeedKind }) {
  const may = useMay()
  const { mayCreate, isCreating, setIsCreating } = useCreateForm('Create feed', `modify ${kind}-feeds`)
  const navigate = useNavigate()
  const { title, description, empty } = TEXTS[kind]
  const canRead = may(`read ${kind}-feeds`)
  const feeds = useQuery({ ...listQuery<Feed>(`${kind}-feeds`, { sort: 'name', limit: 500 }), enabled: canRead })
  const health = useQuery({ ...healthQuery(DAYS), enabled: canRead, refetchInterval: 15_000 })
  if (!canRead) return <NoPermission permission={`read ${kind}-feeds`} />
  const make = mayCreate && <Button onClick={() => setIsCreating(true)}>Create feed</Button>
  return (
    <>
      <PageHead title={title} description={description} actions={make} />
      <ErrorFaults error={feeds.error ?? health.error} />
      {feeds.isPending && <Skeleton h={160} role="status" aria-label="Loading" />}
      {feeds.data?.data.length === 0 && (
        <EmptyState title="No feeds yet" action={make}>
          {empty}
        </EmptyState>
      )}
      {feeds.data && feeds.data.data.length > 0 && (
        <FeedTable
          kind={kind}
          feeds={feeds.data.data}
          health={(health.data ?? []).filter(({ type }) => type === kind)}
        />
      )}
      {isCreating && (
        <FeedForm
          kind={kind}
          onClose={() => setIsCreating(false)}
          onSaved={({ id }) => {
            void invalidate(`${kind}-feeds`, 'feeds')
            void navigate({ to: `/${kind}-feeds/${id}` })
          }}
        />
      )}
    </>
  )
}

interface FeedTableProps {
  readonly kind: FeedKind
  readonly feeds: readonly Feed[]
  readonly health: readonly FeedHealth[]
}

function FeedTable({ kind, feeds, health }: FeedTableProps) {
  const byId = new Map(health.map((each, i) => [idOf(each.feed), { ...each, rank: i }]))
  const rank = ({ id }: Feed) => byId.get(String(id))?.rank ?? feeds.length
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={860}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Transport</Table.Th>
              <Table.Th>Last run</Table.Th>
              <Table.Th ta="end">{kind === 'incoming' ? 'Since new data' : 'Since last success'}</Table.Th>
              <Table.Th ta="end">Failures</Table.Th>
              <Table.Th ta="end">Pending</Table.Th>
              <Table.Th>Last 14 days</Table.Th>
              <Table.Th>Next run</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...feeds]
              .sort((a, b) => rank(a) - rank(b))
              .map((feed) => (
                <FeedRow key={feed.id} kind={kind} feed={feed} health={byId.get(String(feed.id))} />
              ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

interface FeedRowProps {
  readonly kind: FeedKind
  readonly feed: Feed
  readonly health: FeedHealth | undefined
}

function FeedRow({ kind, feed, health }: FeedRowProps) {
  const { transports } = useTransports(kind)
  const since = kind === 'incoming' ? health?.seconds_since_new : health?.seconds_since_success
  return (
    <Table.Tr>
      <Table.Td>
        <PageLink to={`/${kind}-feeds/${feed.id}`}>{feed.name}</PageLink>
        {feed.description && (
          <Text size="xs" c="dimmed" lineClamp={1}>
            {feed.description}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <FeedState health={health} />
      </Table.Td>
      <Table.Td>{transportName(transports, feed.transport_type)}</Table.Td>
      <Table.Td>
        <Moment at={feed.last_triggered_at} otherwise="Never" />
      </Table.Td>
      <Table.Td ta="end">{durationOf(since ?? null)}</Table.Td>
      <Table.Td ta="end">{feed.failures}</Table.Td>
      <Table.Td ta="end">{health?.pending ?? '–'}</Table.Td>
      <Table.Td>
        <Volume kind={kind} days={health?.volume ?? null} />
      </Table.Td>
      <Table.Td>
        <Moment at={feed.next_run_at} />
      </Table.Td>
    </Table.Tr>
  )
}

/** The daily volume of a feed. */
function Volume({ kind, days }: { readonly kind: FeedKind; readonly days: readonly number[] | null }) {
  if (!days) return null
  const total = days.reduce((sum, amount) => sum + amount, 0)
  const what = kind === 'incoming' ? 'blobs' : 'items'
  return <Sparkline values={days} label={`${total.toLocaleString('en')} ${what} in ${DAYS} days`} />
}
