import { type Kysely, sql } from 'kysely'
import type { FeedHealth, FeedTable } from './read-health.ts'

/** What has changed since feeds were last checked. */
export interface StalenessChanges {
  readonly stale: readonly FeedHealth[]
  readonly recovered: readonly FeedHealth[]
}

/** Stores which feeds have become stale or have recovered. An inactive feed leads to no notification. */
export async function recordStaleness(db: Kysely<unknown>, feeds: readonly FeedHealth[]): Promise<StalenessChanges> {
  const stale = feeds.filter((feed) => feed.is_stale && feed.stale_since === null)
  const ended = feeds.filter((feed) => !feed.is_stale && feed.stale_since !== null)
  for (const table of ['incoming_feeds', 'outgoing_feeds'] as const) {
    const idsOf = (list: readonly FeedHealth[]) => list.filter((feed) => feed.table === table).map(({ id }) => id)
    if (idsOf([...stale, ...ended]).length > 0) await updateTable(db, table, idsOf(stale), idsOf(ended))
  }
  return { stale, recovered: ended.filter(({ is_active }) => is_active) }
}

async function updateTable(
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
