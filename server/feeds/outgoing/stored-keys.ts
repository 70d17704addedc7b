import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { OutgoingFeed } from './feed.ts'
import { feedKeys } from './selection.ts'

type KeyContext = Pick<Context, 'db' | 'caller'>
type Keyed = Pick<OutgoingFeed, 'id' | 'source_numbers' | 'left_out_numbers' | 'tlp_color_filter'>

/**
 * Adds the keys that the content of feeds can have now, for the caller, who is their owner. Earlier keys stay, because content that
 * was sent under them can still be read.
 */
export const widenKeys = (ctx: KeyContext, feeds: readonly Keyed[]): Promise<void> => writeKeys(ctx, feeds, true)

/** Replaces the keys of feeds that have no sent content left with those that their content can have now. */
export const resetKeys = (ctx: KeyContext, feeds: readonly Keyed[]): Promise<void> => writeKeys(ctx, feeds, false)

async function writeKeys(ctx: KeyContext, feeds: readonly Keyed[], isAdded: boolean): Promise<void> {
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
