import { type Kysely, sql } from 'kysely'
import type { TaskOwner } from '../background/owned-tasks.ts'
import type { Id } from '../engine/reference.ts'

const own = { column: 'update_task', parameter: 'feed' }

/** The two kinds of feeds, each of which has a task of its own. */
export const FEEDS = {
  incoming_feeds: { ...own, table: 'incoming_feeds', type: 'incoming-feed', title: 'Incoming feed' },
  outgoing_feeds: { ...own, table: 'outgoing_feeds', type: 'outgoing-feed', title: 'Outgoing feed' },
} as const satisfies Record<string, TaskOwner>

/** In seconds: whoever asks to be left alone for longer is asked again after a week. */
const LONGEST_WAIT = 7 * 86_400

/**
 * Puts off the next run of a feed that fails: longer each time, up to a day, and never before its schedule says, nor before as
 * many seconds have passed as the other server asks for.
 */
export async function backOff(db: Kysely<unknown>, table: keyof typeof FEEDS, id: Id, retryAfter = 0): Promise<void> {
  await sql`
    update tasks as t
    set next_run_at = greatest(
      t.next_run_at,
      now() + least(interval '1 day', interval '1 minute' * 2 ^ least(f.failures, 11)),
      now() + make_interval(secs => ${Math.min(retryAfter, LONGEST_WAIT)}))
    from ${sql.table(table)} as f
    where f.id = ${id} and t.id = f.update_task and t.next_run_at is not null`.execute(db)
}
