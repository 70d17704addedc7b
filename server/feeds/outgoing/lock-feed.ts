import { sql } from 'kysely'
import { TaskError } from '../../background/task.ts'
import type { Context } from '../../engine/resource.ts'
import { findOutgoingFeed, type OutgoingFeed } from './feed.ts'
import { widenKeys } from './keys.ts'

/**
 * The feed that a run works for, locked until the transaction ends, for the caller, who is its owner. What the run is about to
 * store may have all keys of it; a run that began in an earlier epoch has nothing to store any more.
 */
export async function lockFeed(
  ctx: Pick<Context, 'db' | 'caller'>,
  { id, epoch }: Pick<OutgoingFeed, 'id' | 'epoch'>,
): Promise<OutgoingFeed> {
  await sql`select from outgoing_feeds where id = ${id} for no key update`.execute(ctx.db)
  const feed = await findOutgoingFeed(ctx.db, id)
  if (!feed) throw new TaskError('The feed is gone.', { isFinal: true })
  if (feed.epoch !== epoch) throw new TaskError('The feed began anew while its content was written.')
  await widenKeys(ctx, [feed])
  return feed
}
