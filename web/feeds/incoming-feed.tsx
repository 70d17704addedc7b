import { useParams } from '@tanstack/react-router'
import type { IncomingFeed } from '../api/resources.ts'
import { Blobs } from './blobs.tsx'
import { FeedOverview } from './feed-overview.tsx'
import { FeedPage, type FeedTab } from './feed-page.tsx'
import { Trial } from './trial.tsx'

const TABS: readonly FeedTab<IncomingFeed>[] = [
  {
    name: 'overview',
    label: 'Overview',
    show: ({ id, transport_access_details }) => (
      <FeedOverview kind="incoming" id={String(id)} access={transport_access_details} />
    ),
  },
  { name: 'test', label: 'Test', show: ({ id }) => <Trial id={id} /> },
  { name: 'blobs', label: 'Fetched content', show: (feed) => <Blobs feed={feed} /> },
]

/** The page of an incoming feed. */
export function IncomingFeedPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  return <FeedPage key={id} kind="incoming" id={id} tabs={TABS} />
}
