import { sql } from 'kysely'
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
  /** Where the transport goes on from here; undefined leaves it as it is. */
  readonly cursor?: Item | null | undefined
}

/** Who takes something in, and the transaction in which that happens. */
type Taking = Pick<Context, 'db'> & { readonly caller?: Context['caller'] }

/**
 * Takes in what came for a feed: its bytes, which `keepBlobs` has kept before the transaction `ctx.db` began, and the cursor, both or
 * neither. The same content again is the blob that is there already.
 */
export async function takeIn(
  { db, caller }: Taking,
  feed: number,
  draft: Pick<Draft, 'sha256' | 'size'>,
  about: Arrival,
): Promise<{ blob: number; isNew: boolean }> {
  if (about.cursor !== undefined) await moveCursor({ db }, feed, about.cursor)
  const { rows } = await sql<{ id: number }>`
    with place as (
      select nextval(pg_get_serial_sequence('files', 'id'))::integer as file
    ), made as (
      insert into incoming_blobs (feed, file, name, sha256, size, signature, created_by)
      select ${feed}::integer, file, ${named(about.name)}, ${draft.sha256}, ${draft.size}::bigint, ${about.signature ?? null},
        nullif(${caller?.id ?? 0}::integer, 0)
      from place
      on conflict (feed, sha256) where not is_forgotten do nothing
      returning id, file, name, sha256
    ), kept as (
      insert into files (id, name, sha256, content_type)
      select file, name, sha256, ${about.contentType?.slice(0, 255) || 'application/octet-stream'} from made
    ), noted as (
      update incoming_feeds set last_new_at = now() where id = ${feed} and exists (select from made)
    )
    select id from made`.execute(db)
  if (rows[0]) return { blob: rows[0].id, isNew: true }
  const { rows: known } = await sql<{ id: number }>`
    select id from incoming_blobs
    where feed = ${feed} and sha256 = ${draft.sha256} and not is_forgotten`.execute(db)
  if (!known[0]) throw Object.assign(new Error('A blob vanished.'), { code: '40001' })
  return { blob: known[0].id, isNew: false }
}

/** Remembers where the transport of a feed goes on. */
export async function moveCursor({ db }: Pick<Context, 'db'>, feed: number, cursor: Item | null): Promise<void> {
  const stored = cursor === null ? null : JSON.stringify(cursor)
  await sql`update incoming_feeds set cursor = ${stored}::jsonb where id = ${feed}`.execute(db)
}

const LONGEST_NAME = 2000

const named = (name: string): string => name.slice(0, LONGEST_NAME).toWellFormed().replaceAll('\0', '\uFFFD')
