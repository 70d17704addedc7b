import { type Kysely, sql } from 'kysely'
import type { Id } from '../engine/reference.ts'
import type { FEEDS } from './feed-tasks.ts'

/** The columns of failures that say whose they are. */
export const FEED_COLUMNS = { incoming_feeds: 'incoming_feed', outgoing_feeds: 'outgoing_feed' } as const

/** Notes that a run of a feed failed, by the kind of what went wrong: statistics count these. */
export async function noteFailureKind(
  db: Kysely<unknown>,
  table: keyof typeof FEEDS,
  feed: Id,
  kind: string,
): Promise<void> {
  await sql`insert into feed_failures (${sql.ref(FEED_COLUMNS[table])}, kind) values (${feed}, ${kind})`.execute(db)
}

/** For as long failures are counted: no statistics look further back. */
export const MOST_DAYS = 365

/** Forgets failures that nobody counts any more. */
export async function forgetFailures(db: Kysely<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from feed_failures where failed_at < now() - make_interval(days => ${MOST_DAYS + 1})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
