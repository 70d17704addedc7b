import { sql } from 'kysely'
import { TaskError } from '../../background/task.ts'
import type { Context } from '../../engine/context.ts'
import { missing } from '../../engine/errors.ts'
import { configurationFor, permissionsFor } from '../../exchange/exporting/rules.ts'
import { letterheadOf, shipmentOf } from '../../exchange/exporting/shipment.ts'
import { anonymised } from '../../formats/anonymised.ts'
import type { ContentType, FeedContent } from '../../formats/format.ts'
import { CONTENT_TYPES } from '../../formats/formats.ts'
import { overridden } from '../../formats/overridden.ts'
import type { Shipment } from '../../formats/shipment.ts'
import { asUser } from '../../identity/access/as-user.ts'
import type { Seeing } from '../../identity/access/sight.ts'
import { type Snapshot, takeSnapshot } from '../../intelligence/by-query/snapshot.ts'
import type { OutgoingFeed } from '../outgoing/feed.ts'
import { feedConfiguration, feedEntities, mayLeaveBy } from '../outgoing/selection.ts'

const FINAL = { isFinal: true }

/** A content type that feeds can have. */
export type FeedType = ContentType & { readonly feed: FeedContent }

/** The content of a feed at one moment. */
export interface Content {
  readonly feed: OutgoingFeed
  readonly type: FeedType
  /** When it was read. */
  readonly at: string
  readonly ctx: Context
  readonly found: Snapshot
  readonly shipment: Shipment
  /** The same with only these entities and the relationships that start at them, whatever their target. */
  part(entities: Snapshot): Shipment
}

/** The content type of a feed. */
export function typeOfFeed({ content_type }: Pick<OutgoingFeed, 'content_type'>): FeedType {
  const type = CONTENT_TYPES.find(({ urn }) => urn === content_type)
  if (!type?.feed) throw new TaskError(`'${content_type}' is not a content type for feeds.`, FINAL)
  return { ...type, feed: type.feed }
}

/** The user for whom a feed is read, with their current permissions and visibility; fails with `absent` if there is none. */
export async function readerOf(
  { db }: Pick<Context, 'db'>,
  feed: OutgoingFeed,
  user: number | null,
  absent: string,
): Promise<Seeing> {
  const caller = user === null ? undefined : await asUser({ db }, user)
  if (!caller) throw new TaskError(absent, FINAL)
  const needed = permissionsFor(typeOfFeed(feed), feedConfiguration(feed))
  const lacking = needed.filter((permission) => !caller.permissions.has(permission))
  if (lacking.length > 0) throw new TaskError(missing(lacking).message, FINAL)
  return caller
}

/** Finds the content of a feed in a transaction that sees one state of the database; it is read as it is written out. */
export async function openContent(outside: Context, feed: OutgoingFeed, at: string): Promise<Content> {
  const ctx = { ...outside, baseUrl: feed.base_url, at }
  const type = typeOfFeed(feed)
  const found = await takeSnapshot(ctx, await feedEntities(ctx, feed))
  // Between two statements, content is written to disk or sent to another server; and a large feed is compared in one statement.
  await sql`
    select set_config('idle_in_transaction_session_timeout', '10min', true), set_config('statement_timeout', '1h', true)`.execute(
    ctx.db,
  )
  const letterhead = await letterheadOf(ctx, feed.base_url, at)
  const configuration = configurationFor(type, feedConfiguration(feed))
  const reading = {
    configuration,
    mayLeave: (here: Context) => mayLeaveBy(here, feed),
    only: type.feed.dataMembers,
    isAhead: true,
    db: ctx.db,
    read: <T>(work: (here: Context) => Promise<T>) => work(ctx),
  }
  const part = (entities: Snapshot) => transformed(shipmentOf(letterhead, found, reading, entities), feed)
  return { feed, type, at, ctx, found, shipment: part(found), part }
}

function transformed(shipment: Shipment, { tlp_color_override: colour, anonymisation }: OutgoingFeed): Shipment {
  return anonymised(colour === null ? shipment : overridden(shipment, colour), anonymisation)
}
