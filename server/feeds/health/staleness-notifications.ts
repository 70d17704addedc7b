import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { NOBODY } from '../../engine/route.ts'
import { tellOf } from '../../mail/hearers.ts'
import { quoted } from '../../mail/quoted.ts'
import type { Server } from '../../server.ts'
import type { FeedTable } from './read-health.ts'

interface Unnotified {
  readonly id: number
  readonly is_stale: boolean
  /** Whether it is stale because it received nothing new for its own limit, and not because no run succeeded. */
  readonly awaits_content: boolean
  readonly failures: number
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
        returning id, failures, stale_since is not null as is_stale,
          ${AWAITS_CONTENT[table]} as awaits_content`.execute(db)
      await notifyOfStaleness({ ...server, db, caller: NOBODY, baseUrl: '' }, table, rows)
    })
  }
}

const AWAITS_CONTENT = { incoming_feeds: sql`stale_after_hours is not null`, outgoing_feeds: sql`false` } as const
const NAMES = { incoming_feeds: 'incoming feed', outgoing_feeds: 'outgoing feed' } as const

/** Notifies the users who may change these feeds. */
async function notifyOfStaleness(ctx: Context, collection: FeedTable, feeds: readonly Unnotified[]): Promise<void> {
  if (feeds.length === 0) return
  const path = collection.replace('_', '-')
  const what = NAMES[collection]
  const byId = new Map(feeds.map((feed) => [String(feed.id), feed]))
  await tellOf(ctx, [
    {
      choice: 'feed_stale',
      collection,
      permissions: [`read ${path}`, `modify ${path}`],
      concerned: sql`
        select f.id as about, u.id as "user", null::integer as actor, 0 as write
        from unnest(${feeds.map(({ id }) => id)}::integer[]) as f(id), users as u`,
      name: sql`o.name`,
      tell: ({ id, name }) => ({
        text: `The ${what} ${quoted(name)} ${stateOf(byId.get(String(id)))}.`,
        path: `/${path}/${id}`,
      }),
    },
  ])
}

function stateOf(feed: Unnotified | undefined): string {
  if (!feed?.is_stale) return 'is working again'
  if (!feed.awaits_content) return 'has not run successfully for longer than expected'
  const cause = feed.failures === 0 ? '' : `: its latest ${feed.failures === 1 ? 'run' : 'runs'} failed`
  return `has received nothing new for longer than expected${cause}`
}
