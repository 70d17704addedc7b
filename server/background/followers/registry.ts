import { webhooks } from '../../changes/webhooks/delivering/deliver.ts'
import { discoverEntities } from '../discover-entities.ts'
import { notifications } from '../notifications.ts'
import type { Follower } from './follower.ts'

/** Everything that follows the log of changes. Streams read the log as well, but keep their positions with their clients. */
export const followers: readonly Follower[] = [notifications, discoverEntities, webhooks]
