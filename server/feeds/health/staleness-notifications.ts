import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'
import { NOBODY } from '../../engine/route.ts'
import { tellOf } from '../../mail/hearers.ts'
import type { Server } from '../../server.ts'
import type { FeedTable } from './read-health.ts'

interface Unnotified {
  readonly id: number
  readonly is_stale: boolean
}

/** Notifies users of feeds that have become stale or have recovered; only once, however many workers check. */
export async function sendStalenessNotifications(server: Server): Promise<void> {
  const { rows: pending } = await sql`
    select from incoming_feeds where not is_staleness_told
    union all
    select from outgoing_feeds where not is_staleness_told
    limit 1`.execute(server.db)
  if (pending.length === 0) return
  for (const table of ['incoming_feeds', 'outgoing_feeds'] as const) {
    await server.db.transaction().execute(async (db) => {
      const { rows } = await sql<Unnotified>`
        update ${sql.table(table)} set is_staleness_told = true
        where id in (select id from ${sql.table(table)} where not is_staleness_told for update skip locked)
        returning id, stale_since is not null as is_stale`.execute(db)
      const ctx = { ...server, db, caller: NOBODY, baseUrl: '' }
      for (const isStale of [true, false]) {
        const ids = rows.filter(({ is_stale }) => is_stale === isStale).map(({ id }) => id)
        await notifyOfStaleness(ctx, table, ids, isStale)
      }
    })
  }
}

const NAMES = { incoming_feeds: 'incoming feed', outgoing_feeds: 'outgoing feed' } as const

/** Notifies the users who may change these feeds that they have become stale or have recovered. */
async function notifyOfStaleness(
  ctx: Context,
  collection: FeedTable,
  feeds: readonly Id[],
  isStale: boolean,
): Promise<void> {
  if (feeds.length === 0) return
  const path = collection.replace('_', '-')
  const what = NAMES[collection]
  await tellOf(ctx, [
    {
      choice: 'feed_stale',
      collection,
      permissions: [`read ${path}`, `modify ${path}`],
      concerned: sql`
        select f.id as about, u.id as "user", null::integer as actor, 0 as write
        from unnest(${feeds}::integer[]) as f(id), users as u`,
      name: sql`o.name`,
      tell: ({ id, name }) => ({
        text: isStale
          ? `The ${what} ‘${shortened(name)}’ has ${collection === 'incoming_feeds' ? 'received nothing new' : 'not run successfully'} for longer than expected.`
          : `The ${what} ‘${shortened(name)}’ is working again.`,
        path: `/${path}/${id}`,
      }),
    },
  ])
}

const shortened = (name: string): string => (name.length > 200 ? `${name.slice(0, 200)}…` : name)
