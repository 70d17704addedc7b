import { sql } from 'kysely'
import { tlpOf, tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { sightOf } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import type { OutgoingFeed } from './feed.ts'

type KeyContext = Pick<Context, 'db' | 'caller'>
type Keyed = Pick<OutgoingFeed, 'id' | 'tlp_color_filter'>

/**
 * Adds the keys that the content of feeds can have now, for the caller, who is their owner. Earlier keys stay, because content that
 * was sent under them can still be read.
 */
export const widenKeys = (ctx: KeyContext, feeds: readonly Keyed[]): Promise<void> => writeKeys(ctx, feeds, true)

/** Replaces the keys of feeds that have no sent content left with those that their content can have now. */
export const resetKeys = (ctx: KeyContext, feeds: readonly Keyed[]): Promise<void> => writeKeys(ctx, feeds, false)

/** The keys that the content of feeds can have are those of the caller that pass their filters. */
async function writeKeys(ctx: KeyContext, feeds: readonly Keyed[], isAdded: boolean): Promise<void> {
  if (feeds.length === 0) return
  const rows = feeds.map(({ id, tlp_color_filter }) => ({ id, highest: highestRank(tlp_color_filter) }))
  await sql`
    with held as materialized (
      select k.key, n.id as source, exists (select from composites as c where c.number = n.number) as is_unified
      from unnest(${sightOf(ctx).keys}::integer[]) as k(key) join numbered_sources as n on n.number = ${sourceOf(sql`k.key`)})
    update outgoing_feeds as t
    set keys = array(
      select k.key from unnest(t.keys) as k(key) where ${isAdded}::boolean
      union
      select h.key
      from held as h
      where ${rankOf(sql`h.key`)} <= i.highest and (t.consolidation <> 'contributors' or not h.is_unified)
        and (
          h.source in (select l.target from outgoing_feed_sources as l where l.source = t.id)
          or not exists (select from outgoing_feed_sources as l where l.source = t.id))
      order by 1)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i(id integer, highest integer)
    where t.id = i.id`.execute(ctx.db)
}

const highestRank = (colour: Keyed['tlp_color_filter']): number =>
  tlpRank(colour === null ? 'RED' : tlpOf(colour, 'AMBER'))
