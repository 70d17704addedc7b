import { sql } from 'kysely'
import type { Job } from '../../../background/task.ts'
import { asFeed } from './as-feed.ts'
import { findFeed } from './feed.ts'
import { settleGone } from './settle-transfer.ts'

/** Deletes the withdrawn entities of feeds that delete them, unless they arrived again within an hour. */
export async function deleteGone(job: Job<unknown>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select f.id from incoming_feeds as f
    where f.withdrawn = 'delete' and exists (
      select from feed_entities as t join entities as e on e.id = t.entity
      where t.feed = f.id and t.gone_transfer is not null and ${isLongGone})
    order by f.id`.execute(job.db)
  let count = 0
  for (const { id } of rows) {
    const feed = await findFeed(job, id)
    if (feed) count += await settleGone({ feed, act: asFeed(job, feed), signal: job.signal }, isLongGone)
  }
  return count
}

const isLongGone = sql<boolean>`t.gone_at < now() - interval '1 hour'`
