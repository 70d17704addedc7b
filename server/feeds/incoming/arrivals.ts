import { sql } from 'kysely'
import { retry } from '../../engine/errors.ts'
import type { Context, Item } from '../../engine/resource.ts'
import type { Draft } from '../../ports/blobs.ts'

/** What is known of something that came in, beside its bytes. */
export interface Arrival {
  /** What the feed or the sender calls it. */
  readonly name: string
  /** As the sender says. */
  readonly contentType: string | null
  /** A detached OpenPGP signature, armored. */
  readonly signature?: string | undefined
  /** What is known of it beside its bytes. */
  readonly about?: object | undefined
  /** Where the transport goes on from here; undefined leaves it as it is. */
  readonly cursor?: Item | null | undefined
  /** The transfer that it is one part of; absent where it is one by itself. */
  readonly transfer?: number | undefined
  /** Whether there is more beside it, so that it never has everything: an envelope, a page. */
  readonly isPart?: boolean | undefined
}

/** Who takes something in, and the transaction in which that happens. */
type Taking = Pick<Context, 'db'> & { readonly caller?: Context['caller'] }

/**
 * Takes in what came for a feed: its bytes, which `keepBlobs` has kept before the transaction `ctx.db` began, and the cursor, both or
 * neither. The same content again is the blob that is there already: it is new once more where something else came in between, since
 * whoever sends it has gone back to what it said.
 */
export async function takeIn(
  { db, caller }: Taking,
  feed: number,
  draft: Pick<Draft, 'sha256' | 'size'>,
  arrival: Arrival,
): Promise<{ blob: number; isNew: boolean }> {
  if (arrival.cursor !== undefined) await moveCursor({ db }, feed, arrival.cursor)
  const about = arrival.about ? JSON.stringify(arrival.about) : null
  const { transfer = null, isPart = false } = arrival
  // Whoever follows what a sender has must be able to go back to what was purged here.
  await sql`
    update incoming_blobs as t set is_forgotten = true
    from incoming_feeds as f
    where f.id = ${feed} and f.update_strategy <> 'APPEND' and t.feed = f.id and t.sha256 = ${draft.sha256}
      and t.state = 'PURGED' and not t.is_forgotten`.execute(db)
  const { rows } = await sql<{ id: number }>`
    with place as (
      select nextval(pg_get_serial_sequence('files', 'id'))::integer as file
    ), made as (
      insert into incoming_blobs (feed, file, name, sha256, size, signature, about, created_by, transfer, is_whole)
      select ${feed}::integer, file, ${named(arrival.name)}, ${draft.sha256}, ${draft.size}::bigint,
        ${arrival.signature ?? null}, ${about}::jsonb, nullif(${caller?.id ?? 0}::integer, 0),
        coalesce(${transfer}::bigint, nextval('feed_transfers')), ${isWhole(feed, isPart)}
      from place
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
  return takeAgain(db, feed, draft.sha256, { ...arrival, about, transfer, isPart })
}

/** Whether what comes for a feed has everything that its sender has. */
const isWhole = (feed: number, isPart: boolean) =>
  sql`(select f.update_strategy = 'REPLACE' and not ${isPart} from incoming_feeds as f where f.id = ${feed})`

interface Again {
  readonly name: string
  readonly about: string | null
  readonly transfer: number | null
  readonly isPart: boolean
}

/** Content that came before is processed again where something else has come since; what was purged stays purged. */
async function takeAgain(
  db: Context['db'],
  feed: number,
  sha256: string,
  { name, about, transfer, isPart }: Again,
): Promise<{ blob: number; isNew: boolean }> {
  const { rows } = await sql<{ id: number; is_overtaken: boolean }>`
    select t.id, t.state <> 'PURGED' and (t.transfer < ${transfer}::bigint
      or (not t.is_whole and ${isWhole(feed, isPart)}) or exists (
      select from incoming_blobs as l where l.feed = t.feed and l.transfer > t.transfer)) is true as is_overtaken
    from incoming_blobs as t
    where t.feed = ${feed} and t.sha256 = ${sha256} and not t.is_forgotten
    for update of t`.execute(db)
  const [known] = rows
  if (!known) throw retry('A blob vanished.')
  if (!known.is_overtaken) return { blob: known.id, isNew: false }
  await sql`
    update incoming_blobs
    set transfer = coalesce(${transfer}::bigint, nextval('feed_transfers')), is_whole = ${isWhole(feed, isPart)}, state = 'PENDING', reason = null, result = null, processed_at = null,
      fetched_at = now(), name = ${named(name)}, about = coalesce(${about}::jsonb, about)
    where id = ${known.id}`.execute(db)
  await sql`update incoming_feeds set last_new_at = now() where id = ${feed}`.execute(db)
  return { blob: known.id, isNew: true }
}

/** Remembers where the transport of a feed goes on. */
export async function moveCursor({ db }: Pick<Context, 'db'>, feed: number, cursor: Item | null): Promise<void> {
  const stored = cursor === null ? null : JSON.stringify(cursor)
  await sql`update incoming_feeds set cursor = ${stored}::jsonb where id = ${feed}`.execute(db)
}

const LONGEST_NAME = 2000

const named = (name: string): string => name.slice(0, LONGEST_NAME).toWellFormed().replaceAll('\0', '\uFFFD')
