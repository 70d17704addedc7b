import { sql } from 'kysely'
import { NOBODY } from '../engine/route.ts'
import type { Server } from '../server.ts'
import { tellOfStaleness } from './feed-news.ts'

interface Untold {
  readonly id: number
  readonly is_stale: boolean
}

/** Tells people of feeds that were found to be stale, or to be so no longer, once, whichever worker looks. */
export async function tellStaleness(server: Server): Promise<void> {
  const { rows: any } = await sql`
    select from incoming_feeds where not is_staleness_told
    union all
    select from outgoing_feeds where not is_staleness_told
    limit 1`.execute(server.db)
  if (any.length === 0) return
  for (const table of ['incoming_feeds', 'outgoing_feeds'] as const) {
    await server.db.transaction().execute(async (db) => {
      const { rows } = await sql<Untold>`
        update ${sql.table(table)} set is_staleness_told = true
        where id in (select id from ${sql.table(table)} where not is_staleness_told for update skip locked)
        returning id, stale_since is not null as is_stale`.execute(db)
      const ctx = { ...server, db, caller: NOBODY, baseUrl: '' }
      for (const isStale of [true, false]) {
        const ids = rows.filter(({ is_stale }) => is_stale === isStale).map(({ id }) => id)
        await tellOfStaleness(ctx, table, ids, isStale)
      }
    })
  }
}
