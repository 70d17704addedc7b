import { z } from 'zod'
import { defineTask } from '../background/task.ts'
import { forgetFailures } from './failures.ts'
import { readHealth } from './health.ts'
import { noteStaleness } from './staleness.ts'

/** Finds feeds that have done nothing for too long, so that people hear of it. */
export const feedHealth = defineTask({
  type: 'feed-health',
  doc: 'Looks for feeds that have brought or sent nothing for too long; who may change them is told, once each time.',
  parameters: z.object({}),
  isUnique: true,
  run: async ({ db, log }) => {
    const feeds = await readHealth(db, ['incoming_feeds', 'outgoing_feeds'])
    const { stale, recovered } = await noteStaleness(db, feeds)
    for (const { name, stale_reason } of stale.slice(0, MOST_LINES)) log(`'${name}' is stale. ${stale_reason}`)
    for (const { name } of recovered.slice(0, MOST_LINES)) log(`'${name}' is stale no longer.`)
    await forgetFailures(db)
    const count = feeds.filter(({ is_stale }) => is_stale).length
    return { result: { feeds: feeds.length, stale: count, newly_stale: stale.length, recovered: recovered.length } }
  },
})

const MOST_LINES = 100
