import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { storableText } from '../../../domain/storable-text.ts'
import type { Context } from '../../../engine/context.ts'
import { ApiError, badRequest, notFound } from '../../../engine/errors.ts'
import { retried } from '../../../engine/retried.ts'
import { blobsOf, keepBlobs } from '../../../intelligence/stored-blobs/store.ts'
import { sweepSoon } from '../../../intelligence/stored-blobs/sweep-soon.ts'
import type { Server } from '../../../server.ts'
import { readTable, type TableFormat, type TableRow } from './read-table.ts'

/** Tables whose rows are stored are read in memory. */
const MAX_BYTES = 100 * 2 ** 20
const ROWS_PER_STATEMENT = 5000

/** Replaces the content of a table. Look-ups see the old content or the new one, never a part. */
export async function loadTable(ctx: Context, id: number, content: AsyncIterable<Uint8Array>): Promise<void> {
  const { rows } = await sql<{ format: TableFormat; key_column: string }>`
    select format, key_column from enricher_tables where id = ${id}`.execute(ctx.db)
  const [table] = rows
  if (!table) throw notFound(id)
  const bytes = await receive(ctx, content, table.format)
  const parsed = table.format === 'mmdb' ? [] : readTable(table.format, table.key_column, bytes)
  await using draft = await blobsOf(ctx).receive(Readable.from([bytes]))
  await keepBlobs(ctx, [draft])
  await retried(() =>
    ctx.db.transaction().execute(async (db) => {
      await sql`select from enricher_tables where id = ${id} for update`.execute(db)
      await sql`delete from enricher_table_rows where owner = ${id}`.execute(db)
      for (let from = 0; from < parsed.length; from += ROWS_PER_STATEMENT) {
        await insertRows(db, id, from, parsed.slice(from, from + ROWS_PER_STATEMENT))
      }
      await sql`
        update enricher_tables
        set sha256 = ${draft.sha256}, size = ${draft.size}, rows = ${parsed.length}, loaded_at = now(), last_updated_at = now(),
          last_updated_by = nullif(${ctx.caller.id}::integer, 0)
        where id = ${id}`.execute(db)
      await sweepSoon({ ...ctx, db })
    }),
  )
}

async function insertRows(db: Context['db'], id: number, from: number, rows: readonly TableRow[]): Promise<void> {
  await sql`
    insert into enricher_table_rows (owner, key, position, content)
    select ${id}::integer, i.key, ${from}::integer + i.n::integer, i.content::jsonb
    from unnest(
      ${rows.map(({ key }) => storableText(key, 10_000))}::text[],
      ${rows.map(({ content }) => storableJson(content))}::text[]) with ordinality as i(key, content, n)`.execute(db)
}

const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? storableText(inner, inner.length) : inner))

async function receive(
  { largestFile = Number.POSITIVE_INFINITY }: Context,
  content: AsyncIterable<Uint8Array>,
  format: TableFormat,
): Promise<Buffer> {
  const most = format === 'mmdb' ? largestFile : Math.min(largestFile, MAX_BYTES)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of content) {
    size += part.length
    if (size > most) throw new ApiError(413, `data: must be at most ${most} bytes.`)
    parts.push(part)
  }
  if (size === 0) throw badRequest('data: must not be empty')
  return Buffer.concat(parts)
}

/** The content of a loaded table, for functions that read a binary format; undefined if there is none. */
export async function readTableContent(
  server: Pick<Server, 'db' | 'blobs'>,
  name: string,
): Promise<{ readonly version: string; read(): Promise<Buffer> } | undefined> {
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from enricher_tables where name = ${name} and sha256 is not null`.execute(server.db)
  const [found] = rows
  if (!found) return undefined
  return {
    version: found.sha256,
    read: async () => Buffer.concat(await Array.fromAsync(blobsOf(server).open(found.sha256))),
  }
}
