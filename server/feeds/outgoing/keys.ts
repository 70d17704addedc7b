import { sql } from 'kysely'
import type { Context } from '../../engine/resource.ts'
import type { OutgoingFeed } from './feed.ts'
import { feedKeys } from './selection.ts'

type Own = Pick<Context, 'db' | 'caller'>
type Keyed = Pick<OutgoingFeed, 'id' | 'source_numbers' | 'tlp_color_filter'>

/**
 * Adds to the keys of feeds those that their content can have now, for the caller, who is their owner. Keys from before stay:
 * what was sent under them can still be read.
 */
export const widenKeys = (ctx: Own, feeds: readonly Keyed[]): Promise<void> => writeKeys(ctx, feeds, true)

/** Gives feeds of which nothing is left that was sent the keys that their content can have now. */
export const resetKeys = (ctx: Own, feeds: readonly Keyed[]): Promise<void> => writeKeys(ctx, feeds, false)

async function writeKeys(ctx: Own, feeds: readonly Keyed[], isAdded: boolean): Promise<void> {
  if (feeds.length === 0) return
  const rows = feeds.map((feed) => ({ id: feed.id, keys: feedKeys(ctx, feed) }))
  await sql`
    update outgoing_feeds as t
    set keys = array(
      select k.key from unnest(t.keys) as k(key) where ${isAdded}::boolean
      union
      select k.key from unnest(i.keys) as k(key)
      order by 1)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(id integer, keys integer[])
    where t.id = i.id`.execute(ctx.db)
}
