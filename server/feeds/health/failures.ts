import { type Kysely, sql } from 'kysely'
import type { Id } from '../../engine/reference.ts'
import type { FEEDS } from '../feed-tasks.ts'

/** The column of `feed_failures` that refers to each kind of feed. */
export const FEED_COLUMNS = { incoming_feeds: 'incoming_feed', outgoing_feeds: 'outgoing_feed' } as const

/** Records a failed run of a feed by its kind of error; statistics count these records. */
export async function recordFailure(
  db: Kysely<unknown>,
  table: keyof typeof FEEDS,
  feed: Id,
  kind: string,
): Promise<void> {
  await sql`insert into feed_failures (${sql.ref(FEED_COLUMNS[table])}, kind) values (${feed}, ${kind})`.execute(db)
}

/** How far back statistics look, in days; older failures are deleted. */
export const MAX_STATISTICS_DAYS = 365

/** Deletes failures that are too old for any statistics. */
export async function deleteOldFailures(db: Kysely<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from feed_failures where failed_at < now() - make_interval(days => ${MAX_STATISTICS_DAYS + 1})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
