import { useParams } from '@tanstack/react-router'
import type { OutgoingFeed } from '../api/resources.ts'
import { Blocks } from './blocks.tsx'
import { FeedOverview } from './feed-overview.tsx'
import { FeedPage, type FeedTab } from './feed-page.tsx'
import { Preview } from './preview.tsx'

const TABS: readonly FeedTab<OutgoingFeed>[] = [
  {
    name: 'overview',
    label: 'Overview',
    show: ({ id, transport_access_details }) => (
      <FeedOverview kind="outgoing" id={String(id)} access={transport_access_details} />
    ),
  },
  { name: 'preview', label: 'Preview', show: ({ id }) => <Preview id={id} /> },
  { name: 'blocks', label: 'Content blocks', show: ({ id }) => <Blocks feed={id} /> },
]

/** The page of an outgoing feed. */
export function OutgoingFeedPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  return <FeedPage key={id} kind="outgoing" id={id} tabs={TABS} />
}
