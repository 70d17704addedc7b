import { FeedList } from './feed-list.tsx'

/** All outgoing feeds. */
export const OutgoingFeeds = () => <FeedList kind="outgoing" />
