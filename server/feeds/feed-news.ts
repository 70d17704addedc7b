import { sql } from 'kysely'
import type { Id } from '../engine/reference.ts'
import type { Context } from '../engine/resource.ts'
import { tellOf } from '../mail/hearers.ts'
import type { FeedTable } from './health.ts'

const NAMES = { incoming_feeds: 'incoming feed', outgoing_feeds: 'outgoing feed' } as const

/** Tells those who may change feeds that these have done nothing for too long, or that they do again. */
export async function tellOfStaleness(
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
          ? `The ${what} ‘${shortened(name)}’ has ${collection === 'incoming_feeds' ? 'brought nothing new' : 'not done its work'} for longer than expected.`
          : `The ${what} ‘${shortened(name)}’ works again.`,
        path: `/${path}/${id}`,
      }),
    },
  ])
}

const shortened = (name: string): string => (name.length > 200 ? `${name.slice(0, 200)}…` : name)
