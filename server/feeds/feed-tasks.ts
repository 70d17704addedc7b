import { type Kysely, sql } from 'kysely'
import type { TaskOwner } from '../background/owned-tasks.ts'
import type { Id } from '../engine/reference.ts'

const own = { column: 'update_task', parameter: 'feed' }

/** The two kinds of feeds, each of which owns a task. */
export const FEEDS = {
  incoming_feeds: { ...own, table: 'incoming_feeds', type: 'incoming-feed', title: 'Incoming feed' },
  outgoing_feeds: { ...own, table: 'outgoing_feeds', type: 'outgoing-feed', title: 'Outgoing feed' },
} as const satisfies Record<string, TaskOwner>

/**
 * Postpones the next run of a failing feed: longer each time, up to a day, but never to a time before its schedule or before the
 * other server allows another call.
 */
export async function backOff(db: Kysely<unknown>, table: keyof typeof FEEDS, id: Id, retryAfter = 0): Promise<void> {
  await sql`
    update tasks as t
    set next_run_at = greatest(
      t.next_run_at,
      now() + least(interval '1 day', interval '1 minute' * 2 ^ least(f.failures, 11)),
      now() + make_interval(secs => ${retryAfter}))
    from ${sql.table(table)} as f
    where f.id = ${id} and t.id = f.update_task and t.next_run_at is not null`.execute(db)
}
