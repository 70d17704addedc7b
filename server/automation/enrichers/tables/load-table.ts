import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { storableText } from '../../../domain/storable-text.ts'
import type { Context } from '../../../engine/context.ts'
import { badRequest, notFound } from '../../../engine/errors.ts'
import { retried } from '../../../engine/retried.ts'
import { blobsOf, keepBlobs } from '../../../intelligence/stored-blobs/store.ts'
import { sweepSoon } from '../../../intelligence/stored-blobs/sweep-soon.ts'
import type { Spooled } from '../../../ports/blobs.ts'
import type { Server } from '../../../server.ts'
import { type PlacedRange, rangeOf, type Segment, segmentsOf } from './address-ranges.ts'
import { MmdbError, openMmdb } from './mmdb/read-mmdb.ts'
import { readTable, type TableLayout, type TableRow } from './read-table.ts'
import { tableBytes } from './table-content.ts'

const ROWS_PER_STATEMENT = 5000

/** What was loaded. `isSame` if the table had this content already. */
export interface Loaded {
  readonly rows: number
  readonly size: number
  readonly isSame: boolean
}

type Loading = Pick<Context, 'caller' | 'cause'> & Server

/** Replaces the content of a table. Look-ups see the old content or the new one, never a part. */
export async function loadTable(ctx: Loading, id: number, content: Spooled): Promise<Loaded> {
  const { rows } = await sql<TableLayout>`
    select format, key_column, end_column, columns from enricher_tables where id = ${id}`.execute(ctx.db)
  const [layout] = rows
  if (!layout) throw notFound(id)
  const bytes = await tableBytes(ctx, content, layout.format)
  const { parsed, segments } = await read(layout, bytes)
  await using draft = await blobsOf(ctx).receive(Readable.from([bytes]))
  await keepBlobs(ctx, [draft])
  return retried(() =>
    ctx.db.transaction().execute(async (db) => {
      const before = await sql<{ sha256: string | null }>`
        select sha256 from enricher_tables where id = ${id} for update`.execute(db)
      if (before.rows.length === 0) throw notFound(id)
      await replaceRows(db, id, parsed, segments)
      await sql`
        update enricher_tables
        set sha256 = ${draft.sha256}, size = ${draft.size}, rows = ${parsed.length}, loaded_at = now(), last_updated_at = now(),
          last_updated_by = nullif(${ctx.caller.id}::integer, 0)
        where id = ${id}`.execute(db)
      await sweepSoon({ ...ctx, db })
      return { rows: parsed.length, size: draft.size, isSame: before.rows[0]?.sha256 === draft.sha256 }
    }),
  )
}

async function read(layout: TableLayout, bytes: Buffer): Promise<{ parsed: TableRow[]; segments: Segment[] }> {
  if (layout.format === 'mmdb') {
    await checkMmdb(bytes)
    return { parsed: [], segments: [] }
  }
  const parsed = await readTable(layout, bytes)
  const ranges: PlacedRange[] = []
  for (const [i, { key }] of parsed.entries()) {
    // Other requests are served in between.
    if (i % ROWS_PER_STATEMENT === 0) await setImmediate()
    const range = rangeOf(key)
    if (range) ranges.push({ ...range, position: i + 1 })
  }
  return { parsed, segments: await segmentsOf(ranges) }
}

async function checkMmdb(bytes: Buffer): Promise<void> {
  try {
    await openMmdb(bytes).check()
  } catch (error) {
    if (error instanceof MmdbError) throw badRequest(`data: is not a MaxMind database, or damaged: ${error.message}`)
    throw error
  }
}

async function replaceRows(
  db: Context['db'],
  id: number,
  rows: readonly TableRow[],
  segments: readonly Segment[],
): Promise<void> {
  await sql`delete from enricher_table_rows where owner = ${id}`.execute(db)
  await sql`delete from enricher_table_ranges where owner = ${id}`.execute(db)
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    await insertRows(db, id, from, rows.slice(from, from + ROWS_PER_STATEMENT))
  }
  for (let from = 0; from < segments.length; from += ROWS_PER_STATEMENT) {
    await insertSegments(db, id, segments.slice(from, from + ROWS_PER_STATEMENT))
  }
}

async function insertRows(db: Context['db'], id: number, from: number, rows: readonly TableRow[]): Promise<void> {
  await sql`
    insert into enricher_table_rows (owner, key, position, content)
    select ${id}::integer, i.key, ${from}::integer + i.n::integer, i.content::jsonb
    from unnest(
      ${rows.map(({ key }) => storableText(key, 10_000))}::text[],
      ${rows.map(({ content }) => storableJson(content))}::text[]) with ordinality as i(key, content, n)`.execute(db)
}

async function insertSegments(db: Context['db'], id: number, segments: readonly Segment[]): Promise<void> {
  await sql`
    insert into enricher_table_ranges (owner, first_address, last_address, positions)
    select ${id}::integer, i.first::inet, i.last::inet, i.positions::integer[]
    from unnest(
      ${segments.map(({ first }) => first)}::text[],
      ${segments.map(({ last }) => last)}::text[],
      ${segments.map(({ positions }) => `{${positions.join(',')}}`)}::text[]) as i(first, last, positions)`.execute(db)
}

const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? storableText(inner, inner.length) : inner))
