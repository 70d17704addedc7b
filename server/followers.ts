import { passages } from './ai/retrieval/passage-follower.ts'
import { consolidateWritten } from './automation/consolidation/follow.ts'
import { discoverEntities } from './automation/discovery-rules/discover-entities.ts'
import { enrichWritten } from './automation/enrichment-rules/enrich-written.ts'
import { followChanges } from './automation/playbooks/follow-changes.ts'
import type { Follower } from './background/followers/follower.ts'
import { webhooks } from './changes/webhooks/delivering/deliver.ts'
import { notifications } from './mail/notifications.ts'

/** Everything that follows the log of changes. Streams read the log as well, but keep their positions with their clients. */
export const followers: readonly Follower[] = [
  notifications,
  discoverEntities,
  enrichWritten,
  consolidateWritten,
  followChanges,
  passages,
  webhooks,
]
