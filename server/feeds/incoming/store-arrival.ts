import { sql } from 'kysely'
import { storableText } from '../../domain/storable-text.ts'
import type { Context, Item } from '../../engine/context.ts'
import { retry } from '../../engine/errors.ts'
import type { Draft } from '../../ports/blobs.ts'

/** The description of content that has arrived. */
export interface Arrival {
  /** The name given by the feed or the sender. */
  readonly name: string
  /** As stated by the sender. */
  readonly contentType: string | null
  /** A detached, armored OpenPGP signature. */
  readonly signature?: string | undefined
  /** The identity of the document, where it is known independently of the content. */
  readonly about?: object | undefined
  /** The cursor to continue from; undefined keeps the stored one. */
  readonly cursor?: Item | null | undefined
  /** The transfer that it is part of; absent if it is a transfer by itself. */
  readonly transfer?: number | undefined
  /** Whether it is only a part of the content, such as an envelope or a page. */
  readonly isPart?: boolean | undefined
}

/** The transaction in which content is stored, and who sent it. */
type ArrivalContext = Pick<Context, 'db'> & { readonly caller?: Context['caller'] }

/**
 * Stores content that has arrived for a feed together with the cursor. `keepBlobs` must have kept its bytes before the transaction
 * `ctx.db` began. Content that arrived before is the same blob, and counts as new if other content arrived in between, because the
 * sender has gone back to it.
 */
export async function storeArrival(
  { db, caller }: ArrivalContext,
  feed: number,
  draft: Pick<Draft, 'sha256' | 'size'>,
  arrival: Arrival,
): Promise<{ blob: number; isNew: boolean }> {
  if (arrival.cursor !== undefined) await storeCursor({ db }, feed, arrival.cursor)
  const about = arrival.about ? JSON.stringify(arrival.about) : null
  const { transfer = null, isPart = false } = arrival
  // If transfers depend on each other, the sender must be able to go back to content that was purged.
  await sql`
    update incoming_blobs as t set is_forgotten = true
    from incoming_feeds as f
    where f.id = ${feed} and f.update_strategy <> 'APPEND' and t.feed = f.id and t.sha256 = ${draft.sha256}
      and t.state = 'PURGED' and not t.is_forgotten`.execute(db)
  const { rows } = await sql<{ id: number }>`
    with numbered as (
      select nextval(pg_get_serial_sequence('files', 'id'))::integer as file
    ), made as (
      insert into incoming_blobs (feed, file, name, sha256, size, signature, about, created_by, transfer, is_whole)
      select ${feed}::integer, file, ${named(arrival.name)}, ${draft.sha256}, ${draft.size}::bigint,
        ${arrival.signature ?? null}, ${about}::jsonb, nullif(${caller?.id ?? 0}::integer, 0),
        coalesce(${transfer}::bigint, nextval('feed_transfers')), ${isWhole(feed, isPart)}
      from numbered
      on conflict (feed, sha256) where not is_forgotten do nothing
      returning id, file, name, sha256
    ), kept as (
      insert into files (id, name, sha256, content_type)
      select file, name, sha256, ${arrival.contentType?.slice(0, 255) || 'application/octet-stream'} from made
    ), noted as (
      update incoming_feeds set last_new_at = now() where id = ${feed} and exists (select from made)
    )
    select id from made`.execute(db)
  if (rows[0]) return { blob: rows[0].id, isNew: true }
  return storeAgain(db, feed, draft.sha256, { ...arrival, about, transfer, isPart })
}

/** Whether the content has everything that the sender of the feed has. */
const isWhole = (feed: number, isPart: boolean) =>
  sql`(select f.update_strategy = 'REPLACE' and not ${isPart} from incoming_feeds as f where f.id = ${feed})`

interface RepeatedArrival {
  readonly name: string
  readonly about: string | null
  readonly transfer: number | null
  readonly isPart: boolean
}

/** Has content that arrived before processed again if other content has arrived since; purged content stays purged. */
async function storeAgain(
  db: Context['db'],
  feed: number,
  sha256: string,
  { name, about, transfer, isPart }: RepeatedArrival,
): Promise<{ blob: number; isNew: boolean }> {
  const { rows } = await sql<{ id: number; is_overtaken: boolean }>`
    select t.id, t.state <> 'PURGED' and (t.transfer < ${transfer}::bigint
      or (not t.is_whole and ${isWhole(feed, isPart)}) or exists (
      select from incoming_blobs as l where l.feed = t.feed and l.transfer > t.transfer)) is true as is_overtaken
    from incoming_blobs as t
    where t.feed = ${feed} and t.sha256 = ${sha256} and not t.is_forgotten
    for update of t`.execute(db)
  const [known] = rows
  if (!known) throw retry('The blob was deleted in the meantime.')
  if (!known.is_overtaken) return { blob: known.id, isNew: false }
  await sql`
    update incoming_blobs
    set transfer = coalesce(${transfer}::bigint, nextval('feed_transfers')), is_whole = ${isWhole(feed, isPart)}, state = 'PENDING', reason = null, result = null, processed_at = null,
      fetched_at = now(), name = ${named(name)}, about = coalesce(${about}::jsonb, about)
    where id = ${known.id}`.execute(db)
  await sql`update incoming_feeds set last_new_at = now() where id = ${feed}`.execute(db)
  return { blob: known.id, isNew: true }
}

/** Stores the cursor from which the transport of a feed continues. */
export async function storeCursor({ db }: Pick<Context, 'db'>, feed: number, cursor: Item | null): Promise<void> {
  const stored = cursor === null ? null : JSON.stringify(cursor)
  await sql`update incoming_feeds set cursor = ${stored}::jsonb where id = ${feed}`.execute(db)
}

const MAX_NAME_LENGTH = 2000

const named = (name: string): string => storableText(name, MAX_NAME_LENGTH)
