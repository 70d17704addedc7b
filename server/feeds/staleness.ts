import { type Kysely, sql } from 'kysely'
import type { FeedHealth, FeedTable } from './health.ts'

/** What a look at all feeds found to be other than at the last one. */
export interface StalenessChanges {
  readonly stale: readonly FeedHealth[]
  readonly recovered: readonly FeedHealth[]
}

/** Remembers which feeds have become stale or are so no longer; of a feed that was switched off nobody hears anything. */
export async function noteStaleness(db: Kysely<unknown>, feeds: readonly FeedHealth[]): Promise<StalenessChanges> {
  const stale = feeds.filter((feed) => feed.is_stale && feed.stale_since === null)
  const ended = feeds.filter((feed) => !feed.is_stale && feed.stale_since !== null)
  for (const table of ['incoming_feeds', 'outgoing_feeds'] as const) {
    const idsOf = (some: readonly FeedHealth[]) => some.filter((feed) => feed.table === table).map(({ id }) => id)
    if (idsOf([...stale, ...ended]).length > 0) await noteIn(db, table, idsOf(stale), idsOf(ended))
  }
  return { stale, recovered: ended.filter(({ is_active }) => is_active) }
}

async function noteIn(
  db: Kysely<unknown>,
  table: FeedTable,
  stale: readonly number[],
  ended: readonly number[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} as f
    set stale_since = case when f.id = any(${stale}::integer[]) then now() end,
      is_staleness_told = not f.is_active
    where (f.id = any(${stale}::integer[]) and f.stale_since is null)
      or (f.id = any(${ended}::integer[]) and f.stale_since is not null)`.execute(db)
}
