import { z } from 'zod'
import { defineTask } from '../../background/task.ts'
import { deleteOldFailures } from './failures.ts'
import { readHealth } from './read-health.ts'
import { recordStaleness } from './staleness.ts'

/** Finds feeds that have been idle for too long, so that users are notified. */
export const feedHealth = defineTask({
  type: 'feed-health',
  doc: 'Finds stale feeds, which have been idle for too long, and notifies the users who may change them, once each time.',
  parameters: z.object({}),
  isUnique: true,
  run: async ({ db, log }) => {
    const feeds = await readHealth(db, ['incoming_feeds', 'outgoing_feeds'])
    const { stale, recovered } = await recordStaleness(db, feeds)
    for (const { name, stale_reason } of stale.slice(0, MAX_LOGGED_FEEDS)) log(`'${name}' is stale. ${stale_reason}`)
    for (const { name } of recovered.slice(0, MAX_LOGGED_FEEDS)) log(`'${name}' is no longer stale.`)
    await deleteOldFailures(db)
    const count = feeds.filter(({ is_stale }) => is_stale).length
    return { result: { feeds: feeds.length, stale: count, newly_stale: stale.length, recovered: recovered.length } }
  },
})

const MAX_LOGGED_FEEDS = 100
