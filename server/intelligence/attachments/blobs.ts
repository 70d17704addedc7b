import { sql } from 'kysely'
import type { Context } from '../../engine/context.ts'
import { retry } from '../../engine/errors.ts'
import type { Span } from '../../http/range.ts'
import type { Content } from './content.ts'

/** Size of the pieces that a content is stored in, one per row. */
const PIECE_BYTES = 256 * 1024
const PIECES_PER_READ = 4
const MAX_INSERT_BYTES = 16 * PIECE_BYTES
const MAX_INSERT_ROWS = 1000

/** Stores the contents that are new, and locks the others so that they cannot be deleted before the commit. */
export async function storeBlobs(ctx: Context, contents: readonly Content[]): Promise<void> {
  const distinct = new Map(contents.map((content) => [content.sha256, content]))
  if (distinct.size === 0) return
  const list = <T>(read: (content: Content) => T) => [...distinct.values()].map(read)
  const { rows: made } = await sql<{ sha256: string }>`
    insert into blobs (sha256, size, md5, sha1, content_type)
    select decode(i.sha256, 'hex'), i.size, decode(i.md5, 'hex'), decode(i.sha1, 'hex'), i.content_type
    from unnest(
      ${list(({ sha256 }) => sha256)}::text[],
      ${list(({ bytes }) => bytes.length)}::integer[],
      ${list(({ md5 }) => md5)}::text[],
      ${list(({ sha1 }) => sha1)}::text[],
      ${list(({ type }) => type)}::text[]
    ) as i(sha256, size, md5, sha1, content_type)
    order by 1
    on conflict do nothing
    returning encode(sha256, 'hex') as sha256`.execute(ctx.db)
  await storePieces(
    ctx,
    made.flatMap(({ sha256 }) => distinct.get(sha256) ?? []),
  )
  const { rows: held } = await sql`
    select from blobs where sha256 = any(${[...distinct.keys()].map(byteaLiteral)}::bytea[])
    order by sha256
    for key share`.execute(ctx.db)
  // Another request deleted the last attachment with this content between the two statements.
  if (held.length < distinct.size) throw retry('A content was deleted during the write.')
}

/** Deletes the given contents that no attachment uses any more. */
export async function dropUnused(ctx: Context, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  const wanted = sql`${[...new Set(hashes)].map(byteaLiteral)}::bytea[]`
  // Waits for requests that are about to use one of them. Only a later statement sees what they inserted.
  await sql`select from blobs where sha256 = any(${wanted}) order by sha256 for update`.execute(ctx.db)
  await sql`
    delete from blobs as b
    where b.sha256 = any(${wanted}) and not exists (select from attachments as a where a.sha256 = b.sha256)`.execute(
    ctx.db,
  )
}

/** Reads a part of a content, a few pieces at a time, and holds no connection between two reads. */
export async function* readBlob(
  { db }: Pick<Context, 'db'>,
  sha256: Buffer,
  { start, end }: Span,
): AsyncGenerator<Buffer> {
  const pieces = Math.ceil(end / PIECE_BYTES)
  for (let position = Math.floor(start / PIECE_BYTES); position < pieces; position += PIECES_PER_READ) {
    const until = Math.min(position + PIECES_PER_READ, pieces)
    const { rows } = await sql<{ position: number; bytes: Buffer }>`
      select position, bytes
      from blob_pieces
      where sha256 = ${sha256} and position >= ${position} and position < ${until}
      order by position`.execute(db)
    if (rows.length < until - position) throw new Error('A content was deleted while it was read.')
    for (const piece of rows) {
      const before = piece.position * PIECE_BYTES
      yield piece.bytes.subarray(Math.max(0, start - before), end - before)
    }
  }
}

interface Piece {
  readonly sha256: string
  readonly position: number
  readonly bytes: Buffer
}

async function storePieces(ctx: Context, contents: readonly Content[]): Promise<void> {
  for (const batch of batchesOf(contents.flatMap(piecesOf))) {
    const rows = batch.map(
      ({ sha256, position, bytes }) => sql`(${byteaLiteral(sha256)}::bytea, ${position}::integer, ${bytes}::bytea)`,
    )
    await sql`insert into blob_pieces (sha256, position, bytes) values ${sql.join(rows)}`.execute(ctx.db)
  }
}

const piecesOf = ({ sha256, bytes }: Content): Piece[] =>
  Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, position) => ({
    sha256,
    position,
    bytes: bytes.subarray(position * PIECE_BYTES, (position + 1) * PIECE_BYTES),
  }))

/** Splits pieces into batches of one statement each, because only the size of the body limits the pieces of a request. */
function batchesOf(pieces: readonly Piece[]): Piece[][] {
  const batches: Piece[][] = []
  let freeBytes = 0
  for (const piece of pieces) {
    const last = batches.at(-1)
    if (last && piece.bytes.length <= freeBytes && last.length < MAX_INSERT_ROWS) last.push(piece)
    else {
      batches.push([piece])
      freeBytes = MAX_INSERT_BYTES
    }
    freeBytes -= piece.bytes.length
  }
  return batches
}

const byteaLiteral = (hexadecimal: string): string => `\\x${hexadecimal}`
