import { sql } from 'kysely'
import { TaskError } from '../../background/task.ts'
import type { Context } from '../../engine/context.ts'
import { findOutgoingFeed, type OutgoingFeed } from './feed.ts'
import { widenKeys } from './stored-keys.ts'

/**
 * Locks the feed of a run until the transaction ends, for the caller, who is its owner, and adds the keys of the content that the run
 * is about to store. A run that began in an earlier epoch fails.
 */
export async function lockFeed(
  ctx: Pick<Context, 'db' | 'caller'>,
  { id, epoch }: Pick<OutgoingFeed, 'id' | 'epoch'>,
): Promise<OutgoingFeed> {
  await sql`select from outgoing_feeds where id = ${id} for no key update`.execute(ctx.db)
  const feed = await findOutgoingFeed(ctx.db, id)
  if (!feed) throw new TaskError('The feed was deleted.', { isFinal: true })
  if (feed.epoch !== epoch) throw new TaskError('The feed was restarted while its content was written.')
  await widenKeys(ctx, [feed])
  return feed
}
