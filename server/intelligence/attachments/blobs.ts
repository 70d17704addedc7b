import { sql } from 'kysely'
import { retry } from '../../engine/errors.ts'
import type { Context } from '../../engine/resource.ts'
import type { Span } from '../../http/range.ts'
import type { Content } from './content.ts'

/** Bytes in one row. */
const PIECE = 256 * 1024
const PIECES_READ_AT_ONCE = 4
const PIECES_WRITTEN_AT_ONCE = 16
const ROWS_WRITTEN_AT_ONCE = 1000

/** Stores contents that are not there yet, and holds on to the others: nobody can delete them before the commit. */
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
    select from blobs where sha256 = any(${[...distinct.keys()].map(literal)}::bytea[])
    order by sha256
    for key share`.execute(ctx.db)
  // Somebody deleted the last other use of a content between two statements of ours: run the whole request again.
  if (held.length < distinct.size) throw retry('A content vanished.')
}

/** Deletes those of these contents that nothing uses any more. */
export async function dropUnused(ctx: Context, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  const wanted = sql`${[...new Set(hashes)].map(literal)}::bytea[]`
  // Whoever is about to use one of them holds on to it; what they made is seen only by a statement that begins later.
  await sql`select from blobs where sha256 = any(${wanted}) order by sha256 for update`.execute(ctx.db)
  await sql`
    delete from blobs as b
    where b.sha256 = any(${wanted}) and not exists (select from attachments as a where a.sha256 = b.sha256)`.execute(
    ctx.db,
  )
}

/** A part of a content, a few pieces at a time; between two reads it holds no connection. */
export async function* readBlob(
  { db }: Pick<Context, 'db'>,
  sha256: Buffer,
  { start, end }: Span,
): AsyncGenerator<Buffer> {
  const beyond = Math.ceil(end / PIECE)
  for (let position = Math.floor(start / PIECE); position < beyond; position += PIECES_READ_AT_ONCE) {
    const until = Math.min(position + PIECES_READ_AT_ONCE, beyond)
    const { rows } = await sql<{ position: number; bytes: Buffer }>`
      select position, bytes
      from blob_pieces
      where sha256 = ${sha256} and position >= ${position} and position < ${until}
      order by position`.execute(db)
    if (rows.length < until - position) throw new Error('A content was deleted while it was read.')
    for (const piece of rows) {
      const before = piece.position * PIECE
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
      ({ sha256, position, bytes }) => sql`(${literal(sha256)}::bytea, ${position}::integer, ${bytes}::bytea)`,
    )
    await sql`insert into blob_pieces (sha256, position, bytes) values ${sql.join(rows)}`.execute(ctx.db)
  }
}

const piecesOf = ({ sha256, bytes }: Content): Piece[] =>
  Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, position) => ({
    sha256,
    position,
    bytes: bytes.subarray(position * PIECE, (position + 1) * PIECE),
  }))

/** As many pieces as one statement takes: their number in a request has no bound but that of the body. */
function batchesOf(pieces: readonly Piece[]): Piece[][] {
  const batches: Piece[][] = []
  let room = 0
  for (const piece of pieces) {
    const last = batches.at(-1)
    if (last && piece.bytes.length <= room && last.length < ROWS_WRITTEN_AT_ONCE) last.push(piece)
    else {
      batches.push([piece])
      room = PIECES_WRITTEN_AT_ONCE * PIECE
    }
    room -= piece.bytes.length
  }
  return batches
}

const literal = (hexadecimal: string): string => `\\x${hexadecimal}`
