import { FeedList } from './feed-list.tsx'

/** All incoming feeds. */
export const IncomingFeeds = () => <FeedList kind="incoming" />
